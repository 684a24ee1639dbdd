using Emu.Compiler.Reports;
using Emu.Estimate;
using Emu.Simulation;

// Estimated sizes beside those that synthesis finds, as a table of Markdown; of the samples whose name contains a
// word, if one is given.
if (Synthesis.WhyNot is { } whyNot)
{
    Console.Error.WriteLine($"emu: {whyNot}");
    return 1;
}
Console.WriteLine("| sample | LUT, estimated | by synthesis | | DSP, estimated | by synthesis |");
Console.WriteLine("|---|---|---|---|---|---|");
foreach (var sample in Sample.All.Where(s =>
    args.Length == 0 || s.Name.Contains(args[0], StringComparison.OrdinalIgnoreCase)))
{
    var circuit = sample.Compile();
    var estimated = Resources.Of(circuit.Design, Cost.Of(circuit));
    var found = Synthesis.Run(circuit.Design);
    Console.WriteLine(
        $"| {sample.Name}{(sample.IsAside ? " \\*" : "")} | {estimated.Luts} | {found.Lut} | "
        + $"{100.0 * (estimated.Luts - found.Lut) / found.Lut:+0;-0;0} % "
        + $"| {estimated.Dsps} | {found.Dsp} |");
}
return 0;
