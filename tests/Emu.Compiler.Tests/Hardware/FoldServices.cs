using System.Buffers.Binary;

namespace Emu.Compiler.Tests;

/// <summary>
/// Looks for two bytes in so many behind the header as its first byte says, which may be more than there are.
/// </summary>
public sealed class PairSearch : Service
{
    public uint Faultless { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes[14..];
        var count = frame.Bytes[0];
        var at = 0;
        for (; at < count; at++)
        {
            if (BinaryPrimitives.ReadUInt16BigEndian(bytes[at..]) == 0x0102) break;
        }
        Faultless += (uint)at;
        frame.ForwardTo(new PortSet((byte)(at ^ at >> 4) & 15u));
    }
}

/// <summary>Counts bytes, sums them up and makes them an XOR, from a place on that is a part of the type.</summary>
public sealed class ByteTally(int first) : Service
{
    public uint Odd { get; private set; }

    public uint Sum { get; private set; }

    public byte Mix { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var (odd, sum, mix) = (0u, 0u, (byte)0);
        for (var i = first; i < bytes.Length; i++)
        {
            var octet = bytes[i];
            if ((octet & 1) == 1) odd++;
            sum += (uint)octet << 2;
            mix ^= (byte)(octet + i);
        }
        (Odd, Sum, Mix) = (odd, sum, mix);
        frame.ForwardTo(new PortSet(sum & 15));
    }
}

/// <summary>Compares the bytes behind the header with its own first byte, up to one that ends them.</summary>
public sealed class KeyedEnd : Service
{
    public byte Last { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var (key, equal, all) = (bytes[0], 0u, (byte)0xFF);
        for (var i = 14; i < bytes.Length; i++)
        {
            var octet = bytes[i];
            if (octet < 2)
            {
                Last = (byte)(octet + i);
                break;
            }
            if (octet == 0xFF) _ = bytes[2000];
            if (octet == key || octet == key + 1) equal++;
            all &= octet;
        }
        frame.ForwardTo(new PortSet((equal + all) & 15u));
    }
}

/// <summary>Keeps an XOR of all bytes behind the header of all frames; some name one byte more.</summary>
public sealed class RunningMix : Service
{
    public byte Mix { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var mix = Mix;
        for (var i = 14; i < bytes.Length; i++) mix ^= bytes[i];
        if (bytes[0] == 1) mix ^= bytes[bytes[1]];
        Mix = mix;
        frame.ForwardTo(new PortSet(mix & 15u));
    }
}

/// <summary>
/// Looks for a byte that an earlier frame has told: such a loop is left to the slow path, and other frames are as fast
/// as without.
/// </summary>
public sealed class TaughtSearch : Service
{
    public byte Wanted { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        if (bytes[0] == 1) Wanted = bytes[1];
        if (bytes[0] < 32)
        {
            for (var i = 14; i < bytes.Length; i++)
            {
                if (bytes[i] == Wanted) return;
            }
        }
        frame.Flood();
    }
}

/// <summary>
/// Looks for digits and for a pair of bytes by the library's search, which reads on only where a byte is the same; for
/// the pair in a part that the first byte ends.
/// </summary>
public sealed class WordSearch : Service
{
    public uint Words { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes[14..];
        var word = bytes.IndexOf("77"u8);
        if (word >= 0) Words++;
        var pair = bytes[..Math.Min(bytes.Length, frame.Bytes[0])].IndexOf("\u0001\u0002"u8);
        if (word < 0 && bytes.IndexOf("12345678"u8) >= 0) Words += 1 << 16;
        frame.ForwardTo(new PortSet((byte)(word ^ word >> 4 ^ pair) & 15u));
    }
}

/// <summary>Looks for more bytes than a narrow beat has.</summary>
public sealed class LineSearch : Service
{
    public uint Lines { get; private set; }

    public override void Process(ref Frame frame)
    {
        var at = frame.Bytes[14..].IndexOf("0123456789ABCDEFGHIJKL"u8);
        if (at < 0) return;
        Lines++;
        frame.ForwardTo(new PortSet((byte)(at ^ at >> 4) & 15u));
    }
}

/// <summary>
/// Reads the byte behind a 1, which may not be there, and nothing of other bytes' neighbours; keeps a sum meanwhile.
/// </summary>
public sealed class FollowedByte : Service
{
    public uint Sum { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var (end, sum) = (frame.Bytes[0] & 127, 0u);
        for (var at = 14; at < end; at++)
        {
            sum = sum * 3 + bytes[at];
            if (bytes[at] == 1 && bytes[at + 1] == 2) break;
        }
        Sum = sum;
        frame.ForwardTo(new PortSet((sum ^ sum >> 8) & 15u));
    }
}

/// <summary>
/// Counts bytes up to a 1 and sums them up, from a place on that the frame's first byte says; keeps where it stopped.
/// </summary>
public sealed class LateTally : Service
{
    public uint Sum { get; private set; }

    public int End { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var (sum, at) = (0u, 14 + (bytes[0] & 63));
        for (; at < bytes.Length; at++)
        {
            if (bytes[at] == 1) break;
            sum += bytes[at];
        }
        (Sum, End) = (sum, at);
        frame.ForwardTo(new PortSet((sum ^ (uint)at) & 15));
    }
}

/// <summary>Reads a number behind a header of which the frame's first byte says how long it is.</summary>
public sealed class LateNumber : Service
{
    public uint Number { get; private set; }

    public override void Process(ref Frame frame)
    {
        var (length, number) = ((frame.Bytes[0] & 15) * 4, 0u);
        if (frame.Length < 14 + length) return;
        var text = frame.Bytes[(14 + length)..];
        foreach (var octet in text)
        {
            var digit = (uint)octet - '0';
            if (digit > 9) break;
            number = number * 10 + digit;
        }
        Number = number;
        frame.ForwardTo(new PortSet(number & 15));
    }
}
