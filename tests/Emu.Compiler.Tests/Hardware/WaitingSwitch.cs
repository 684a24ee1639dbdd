using System.Buffers.Binary;

namespace Emu.Compiler.Tests;

/// <summary>
/// Floods frames and numbers them. At a frame of type <see cref="Stop"/> it waits until one of type <see cref="Go"/>
/// comes; meanwhile it answers others of its own types, and holds two of the rest.
/// </summary>
public class WaitingSwitch : Service
{
    public const ushort Stop = 0x1111, Go = 0x2222, Ask = 0x3333, Mark = 0x4444, Fault = 0x5555;
    private const int Held = 2, At = 14;

    private readonly ushort[] _types = new ushort[4];
    private byte _mark, _frames;
    private bool _waits;

    public Counter Lost { get; } = new();

    public Counter Stops { get; } = new();

    public override void Process(ref Frame frame)
    {
        _frames++;
        var before = frame.Bytes[At];
        if (TypeOf(frame) == Stop)
        {
            Stops.Increment();
            _waits = true;
            while (_waits) WaitForFrame();
        }
        frame.Bytes[At] = (byte)(before + _mark);
        frame.Bytes[At + 1] = _frames;
        if (before == 0xFF) frame.Send(PortSet.First(1));
        if (before == 0xFE) _types[before]++;
        frame.Flood();
    }

    public override void Interrupt(ref Frame frame)
    {
        switch (TypeOf(frame))
        {
            case Go:
                _waits = false;
                frame.Reply();
                break;
            case Ask:
                frame.Bytes[At] = _frames;
                BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[(At + 1)..], _types[_frames & 3]);
                frame.Resize(60);
                frame.Reply();
                break;
            case Mark:
                _mark = frame.Bytes[At];
                break;
            case Fault:
                frame.Bytes[At] = (byte)_types[frame.Bytes[At]];
                break;
            default:
                _types[frame.Bytes[At] & 3] = TypeOf(frame);
                if (!frame.TryHold(Held)) Lost.Increment();
                break;
        }
    }

    private static ushort TypeOf(in Frame frame) => BinaryPrimitives.ReadUInt16BigEndian(frame.Bytes[12..]);
}

/// <summary>The same with ticks, which change what frames are marked with.</summary>
public sealed class WaitingClock : WaitingSwitch
{
    private byte _ticks;

    public override ulong TickInterval => 7000;

    public override void Tick(ref Frame frame)
    {
        _ticks++;
        frame.Resize(60);
        frame.Bytes[14] = _ticks;
        if ((_ticks & 7) == 0) WaitForFrame();
        frame.Flood();
    }
}

/// <summary>Holds as many frames as the frame itself says, which no circuit has room for.</summary>
public sealed class HoldsAsManyAsTheFrameSays : Service
{
    public override void Process(ref Frame frame) => WaitForFrame();

    public override void Interrupt(ref Frame frame) => frame.TryHold(frame.Bytes[0]);
}
