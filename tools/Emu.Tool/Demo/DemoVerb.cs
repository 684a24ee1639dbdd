using System.CommandLine;
using System.Runtime.InteropServices;
using Emu.Testing;

namespace Emu.Tool;

/// <summary><c>emu demo</c></summary>
internal static class DemoVerb
{
    public static Command Create()
    {
        var verb = new Command("demo", "The main job end to end, nothing to configure: two services, five hosts, real pings. Example: ./emu demo");
        verb.SetAction(_ => Demo());
        return verb;
    }

    private static int Demo()
    {
        Prerequisites.Install(Prerequisites.Demo);
        if (TestNetwork.WhyNotWith("ping") is { } reason) return CaptureDemo.Run(reason);

        using var stop = new CancellationTokenSource();
        void Stop(PosixSignalContext context)
        {
            context.Cancel = true;
            stop.Cancel();
        }
        using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop);
        using var terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);
        return NetworkDemo.Run(stop.Token);
    }
}
