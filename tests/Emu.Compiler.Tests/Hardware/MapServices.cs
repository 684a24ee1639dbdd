using System.Buffers.Binary;

namespace Emu.Compiler.Tests;

/// <summary>
/// Writes each byte from an offset up to one that the frame says, in a loop that another class gives, and sums what is
/// there then.
/// </summary>
public abstract class MapService(int start) : Service
{
    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        frame.Flood();
        if (bytes.Length < start + 2) return;
        var end = Math.Min(bytes[0], bytes.Length);
        Write(bytes, start, end);
        BinaryPrimitives.WriteUInt16BigEndian(bytes[8..], InternetChecksum.Compute(bytes[12..]));
    }

    protected abstract void Write(Span<byte> bytes, int start, int end);
}

/// <summary>Letters in lower case.</summary>
public sealed class LowerMap(int start) : MapService(start)
{
    protected override void Write(Span<byte> bytes, int start, int end)
    {
        for (var i = start; i < end; i++)
            if (bytes[i] >= 'A' && bytes[i] <= 'Z') bytes[i] += 32;
    }
}

/// <summary>A key stream of a shift register that the frame gives its first state.</summary>
public sealed class StreamMap(int start) : MapService(start)
{
    protected override void Write(Span<byte> bytes, int start, int end)
    {
        var state = BinaryPrimitives.ReadUInt32BigEndian(bytes[1..]);
        for (var i = start; i < end; i++)
        {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            bytes[i] ^= (byte)state;
        }
    }
}

/// <summary>Two states that go on by themselves, one of which another condition leaves out.</summary>
public sealed class CountMap(int start) : MapService(start)
{
    protected override void Write(Span<byte> bytes, int start, int end)
    {
        var (number, register) = (bytes[1], (ushort)0xACE1);
        for (var i = start; i < end; i++)
        {
            var octet = bytes[i];
            if (i > 40) bytes[i] = (byte)(octet + number ^ register);
            number += 7;
            register = (ushort)(register << 1 | (register >> 15 ^ register >> 13) & 1);
        }
    }
}

/// <summary>
/// One loop behind another, of which the first is left out by what the frame says, behind a copy of what came.
/// </summary>
public sealed class TwoMaps(int start) : Service
{
    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        frame.Flood();
        if ((bytes[1] & 1) != 0) frame.Send(PortSet.Of(new PortId(3)));
        var key = bytes[2];
        if ((bytes[1] & 2) != 0)
            for (var i = start; i < bytes.Length; i++) bytes[i] ^= key;
        if ((bytes[1] & 4) != 0) frame.Send(PortSet.Of(new PortId(2)), Math.Min(frame.Length, 64));
        for (var i = start + 9; i < bytes.Length; i++) bytes[i] += (byte)i;
    }
}

/// <summary>
/// Frames that the slow path takes, or that fault, between others: they are what they were before any loop.
/// </summary>
public sealed class MapBesideSlowPath(int start) : Service
{
    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        frame.Flood();
        for (var i = start; i < bytes.Length; i++) bytes[i] ^= 0x5A;
        if (bytes[1] % 4 == 0 && bytes.Length > start)
        {
            // A place that is computed, which no pipeline reads.
            var at = start + bytes[2] % (bytes.Length - start);
            bytes[3] = bytes[at];
        }
        if (bytes[1] % 8 == 1) bytes[2] = bytes[bytes.Length];
    }
}

/// <summary>
/// Bytes that a loop has written are read, and summed at constant places, and the frame is cut behind.
/// </summary>
public sealed class ReadBehindMap(int start) : Service
{
    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        frame.Flood();
        if (bytes.Length < start + 12) return;
        byte state = 3;
        var end = Math.Min(bytes[0], bytes.Length);
        for (var i = start; i < end; i++)
        {
            bytes[i] = (byte)(bytes[i] << 4 | bytes[i] >> 4 ^ state);
            state += 5;
        }
        bytes[4] = (byte)(bytes[start] + bytes[start + 3]);
        BinaryPrimitives.WriteUInt16BigEndian(bytes[6..], (ushort)InternetChecksum.Sum(bytes.Slice(start + 1, 10)));
        if ((bytes[1] & 1) != 0) frame.Resize(start + 10);
    }
}
