namespace Emu.Testing.Tests;

/// <summary>
/// Floods what comes, sends a frame with the time at every tick, and faults on a frame that begins with 255.
/// </summary>
internal sealed class Beacon : Service
{
    public override ulong TickInterval => 10;

    public override void Process(ref Frame frame)
    {
        if (frame.Bytes[0] == 0xFF)
        {
            frame.Send(PortSet.First(64));
            frame.Bytes[frame.Length] = 0;
        }
        frame.Flood();
    }

    public override void Tick(ref Frame frame)
    {
        frame.Resize(1);
        frame.Bytes[0] = (byte)frame.Time;
        frame.ForwardTo(new PortId(1));
    }
}
