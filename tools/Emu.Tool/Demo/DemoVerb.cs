using System.CommandLine;
using Emu.Hosting;
using Emu.Testing;

namespace Emu.Tool;

/// <summary><c>emu demo</c></summary>
internal static class DemoVerb
{
    public static Command Create()
    {
        var verb = new Command("demo",
            "The main job end to end, nothing to configure: two services, six hosts, real pings, "
            + "simulated hardware. Example: ./emu demo");
        verb.SetAction(_ => Demo());
        var direct = new Command(
            "direct",
            "One session stops a switch on .NET and as simulated hardware: the transcripts side by side. "
            + "Example: ./emu demo direct");
        direct.SetAction(_ => DirectionDemo.Run());
        verb.Subcommands.Add(direct);
        return verb;
    }

    private static int Demo()
    {
        Prerequisites.Install(Prerequisites.Demo);
        if (TestNetwork.WhyNotWith("ping") is { } reason) return CaptureDemo.Run(reason);

        using var stop = new StopSignals();
        return NetworkDemo.Run(stop.Token);
    }
}
