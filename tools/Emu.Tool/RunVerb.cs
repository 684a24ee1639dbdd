using System.CommandLine;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary><c>emu run</c></summary>
internal static class RunVerb
{
    /// <summary>Makes the verb.</summary>
    /// <param name="own">
    /// The command line before <c>--</c>: with a service's name in it, <c>--help</c> shows the service's arguments too.
    /// </param>
    /// <param name="serviceArguments">The command line behind <c>--</c>.</param>
    public static Command Create(string[] own, string[] serviceArguments)
    {
        var service = new Argument<string>("service")
        {
            Description = "A service's name (./emu list), or the path of your own project",
            HelpName = "SERVICE",
        };
        const string What =
            "Run a service on interfaces or captures. Example: "
            + "./emu run IcmpEcho --port tap:emu0 -- --address 10.0.0.2";
        var verb = new Command("run", ServiceHelp.Description("run", What, own)) { service };
        var run = new RunCommand();
        run.AddTo(verb);
        var direction = new DirectionArguments();
        direction.AddTo(verb);
        verb.SetAction(parsed =>
        {
            var type = ServiceCatalog.Find(parsed.GetValue(service)!);
            // On captures a run is the same each time.
            var bootCount = run.IsLive(parsed) ? (uint)DateTimeOffset.UtcNow.ToUnixTimeSeconds() : 0;
            var woven = direction.Woven(
                parsed, type, run.ArgumentsOf(parsed, type, serviceArguments), drawsKey: true, bootCount);
            return run.Execute(parsed, woven, serviceArguments);
        });
        return verb;
    }
}
