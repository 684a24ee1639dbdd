using System.Buffers.Binary;

namespace Emu.Compiler.Tests;

/// <summary>Changes a word behind a chain of parts of any lengths, and corrects the next if it is not 0.</summary>
public sealed class ChainChange : Service
{
    public override void Process(ref Frame frame)
    {
        var rest = frame.Bytes[14..];
        while (rest.Length >= 2 && rest[0] == 1)
        {
            var length = 2 + rest[1];
            if (length > rest.Length) return;
            rest = rest[length..];
        }
        if (rest.Length < 4) return;
        frame.ForwardTo(new PortId(2));
        var before = BinaryPrimitives.ReadUInt16BigEndian(rest);
        BinaryPrimitives.WriteUInt16BigEndian(rest, 5353);
        var sum = BinaryPrimitives.ReadUInt16BigEndian(rest[2..]);
        if (sum != 0) BinaryPrimitives.WriteUInt16BigEndian(rest[2..], (ushort)(sum + before));
    }
}

/// <summary>Reads a word behind a chain again, where it has changed one of its bytes, or both, or none.</summary>
public sealed class ChainRewrite : Service
{
    public override void Process(ref Frame frame)
    {
        frame.ForwardTo(new PortId(2));
        if (frame.Ingress == new PortId(0)) return;
        var rest = frame.Bytes[14..];
        while (rest.Length >= 2 && rest[0] == 1)
        {
            var length = 2 + rest[1];
            if (length > rest.Length) return;
            rest = rest[length..];
        }
        if (rest.Length < 6) return;
        var before = BinaryPrimitives.ReadUInt16BigEndian(rest[2..]);
        BinaryPrimitives.WriteUInt16BigEndian(rest[(before & 3)..], 0x0102);
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes, before);
        BinaryPrimitives.WriteUInt16BigEndian(rest[4..], BinaryPrimitives.ReadUInt16BigEndian(rest[2..]));
    }
}
