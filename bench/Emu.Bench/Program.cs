using System.CommandLine;
using Emu.Bench;
using Emu.Hosting;

// One side of the tap benchmark is this program again, as a service.
if (args is ["reflect", .. var own]) return ServiceCommand.Run<Reflector>(own);

var names = new Argument<string[]>("what")
{
    Description = "tap, bridge, tcpping, nat, filter, dns, memcached, micro; all when left out",
    Arity = ArgumentArity.ZeroOrMore,
};
names.AcceptOnlyFromAmong([.. Benchmarks.Names]);
var rounds = new Option<int>("--rounds")
{
    Description = "Rounds of all but micro",
    DefaultValueFactory = _ => 7,
    HelpName = "N",
};
var seconds = new Option<double>("--seconds")
{
    Description = "Length of each measurement but those of micro",
    DefaultValueFactory = _ => 0.4,
    HelpName = "S",
};
var json = new Option<bool>("--json") { Description = "Print JSON" };
var record = new Option<bool>("--record") { Description = "Write the ratios to bench/recorded.json" };
var root = new RootCommand("Measured figures, as ratios, beside those recorded. Example: ./emu bench tap")
{
    names, rounds, seconds, json, record,
};
root.SetAction(parsed =>
{
    var chosen = parsed.GetValue(names) is { Length: > 0 } some ? some : [.. Benchmarks.Names];
    var measured =
        chosen.SelectMany(name => Benchmarks.Run(name, parsed.GetValue(rounds), parsed.GetValue(seconds))).ToList();
    var recorded = RecordedRatios.Load();
    if (parsed.GetValue(json)) Report.PrintJson(measured, recorded);
    else Report.Print(measured, recorded);
    if (parsed.GetValue(record)) recorded.Save(measured);
    return measured.Count > 0 ? 0 : 1;
});
return Emu.Hosting.CommandLine.Invoke(() => root, args);
