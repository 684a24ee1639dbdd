using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Seals frames on a link: towards it a CRC over the frame and a sequence number are put behind it, from it they are
/// looked at and taken off; what does not fit is dropped.
/// </summary>
public sealed class TrailerSeal(int plain = 0, int link = 1) : Service
{
    private const int TrailerLength = 8;

    private uint _sent;
    private uint _expected;

    public Counter Sealed { get; } = new();

    public Counter Opened { get; } = new();

    public Counter Damaged { get; } = new();

    public Counter Lost { get; } = new();

    public override void Process(ref Frame frame)
    {
        var length = frame.Length;
        if (frame.Ingress.Index == plain)
        {
            frame.Resize(length + TrailerLength);
            BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[length..], _sent++);
            var crc = Crc32.Compute(frame.Bytes[..(length + 4)]);
            BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[(length + 4)..], crc);
            Sealed.Increment();
            frame.ForwardTo(new PortId(link));
            return;
        }
        if (length < Ethernet.MinFrameLength + TrailerLength) return;
        var at = length - TrailerLength;
        if (BinaryPrimitives.ReadUInt32BigEndian(frame.Bytes[(at + 4)..]) != Crc32.Compute(frame.Bytes[..(at + 4)]))
        {
            Damaged.Increment();
            return;
        }
        var sequence = BinaryPrimitives.ReadUInt32BigEndian(frame.Bytes[at..]);
        Lost.Add(sequence - _expected);
        _expected = sequence + 1;
        frame.Resize(at);
        Opened.Increment();
        frame.ForwardTo(new PortId(plain));
    }
}
