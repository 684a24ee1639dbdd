using System.Buffers.Binary;

namespace Emu.Compiler.Tests;

/// <summary>Checks the sum of all that stands behind a chain of parts of any lengths.</summary>
public sealed class ChainSum : Service
{
    public Counter Valid { get; } = new();

    public override void Process(ref Frame frame)
    {
        var rest = frame.Bytes[14..];
        while (rest.Length >= 2 && rest[0] == 1)
        {
            var length = 2 + rest[1];
            if (length > rest.Length) return;
            rest = rest[length..];
        }
        if (InternetChecksum.Sum(rest) == ushort.MaxValue) Valid.Increment();
        frame.ForwardTo(new PortId(2));
    }
}

/// <summary>
/// Tells the sum of as many bytes behind a chain as a byte in front says, which may be more than there are, in front of
/// all, where it has written before.
/// </summary>
public sealed class SumOfPart : Service
{
    public override void Process(ref Frame frame)
    {
        frame.Bytes[0] = 7;
        var rest = frame.Bytes[14..];
        while (rest.Length >= 2 && rest[0] == 1)
        {
            if (2 + rest[1] > rest.Length) return;
            rest = rest[(2 + rest[1])..];
        }
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes, (ushort)InternetChecksum.Sum(rest[..frame.Bytes[1]]));
        frame.ForwardTo(new PortId(1));
    }
}

/// <summary>Sums bytes of which one was written before, behind a chain.</summary>
public sealed class SumOfWritten : Service
{
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress != new PortId(0))
        {
            frame.Flood();
            return;
        }
        frame.Bytes[20] ^= 0x55;
        var rest = frame.Bytes[14..];
        while (rest.Length >= 2 && rest[0] == 1) rest = rest[(2 + rest[1])..];
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes, (ushort)InternetChecksum.Sum(rest));
        frame.Flood();
    }
}
