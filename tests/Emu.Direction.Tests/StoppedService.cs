using Emu.Protocols;

namespace Emu.Direction.Tests;

/// <summary>A service with locals.</summary>
public sealed class StoppedService : Service
{
    /// <summary>The sum of the last frame.</summary>
    public int Total { get; private set; }

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var source = new Ethernet(frame).Source;
        var port = frame.Ingress.Index;
        var sum = frame.Length + port;
        Total = sum;
        if (source.Bits != 0 && port < 9) frame.Reply();
        Direction.Point("end");
    }
}
