namespace Emu.Testing.Tests;

/// <summary>Counts frames, and sends back those from a station with an even number.</summary>
public sealed class EvenMirror : Service
{
    public Counter Mirrored { get; } = new();

    public override void Process(ref Frame frame)
    {
        if ((frame.Bytes[11] & 1) != 0) return;
        Mirrored.Increment();
        frame.Reply();
    }
}

/// <summary>Writes a number of its constructor into the frame.</summary>
public sealed class Stamp(byte number) : Service
{
    public override void Process(ref Frame frame)
    {
        frame.Bytes[13] = number;
        frame.Reply();
    }
}

/// <summary>
/// Answers with the byte at a place that the frame before named: an offset that state decides, which only an engine
/// reads at.
/// </summary>
public sealed class Relay : Service
{
    private byte _place;

    public override void Process(ref Frame frame)
    {
        frame.Bytes[14] = frame.Bytes[14 + (_place & 31)];
        _place = frame.Bytes[12];
        frame.Reply();
    }
}

/// <summary>Allocates for every frame, which does not compile.</summary>
public sealed class Allocating : Service
{
    public override void Process(ref Frame frame)
    {
        if (new byte[frame.Length].Length > 14) frame.Reply();
    }
}

/// <summary>Drops everything, and sends a frame every second.</summary>
public sealed class Clock : Service
{
    public override ulong TickInterval => 1_000_000_000;

    public override void Process(ref Frame frame) => frame.Drop();

    public override void Tick(ref Frame frame)
    {
        frame.Resize(60);
        frame.ForwardTo(PortSet.First(1));
    }
}
