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
        verb.SetAction(parsed => run.Execute(parsed, ServiceCatalog.Find(parsed.GetValue(service)!), serviceArguments));
        return verb;
    }
}
