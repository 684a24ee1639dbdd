using System.Buffers.Binary;

namespace Emu.Compiler.Tests;

/// <summary>
/// Walks labels up to an empty one, from a place on that is a part of the type; a long one is a fault.
/// </summary>
public sealed class LabelWalk(int first) : Service
{
    public uint Labels { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var (at, labels) = (first, Labels);
        while (true)
        {
            int length = bytes[at];
            if (length == 0) break;
            if (length == 0xFF) _ = bytes[2000];
            at += length + 1;
            labels++;
        }
        Labels = labels;
        frame.ForwardTo(new PortSet((uint)(at ^ at >> 4) & 15));
    }
}

/// <summary>
/// Walks options of a byte, or of a kind and a length, in a part that the first byte ends; looks for one and what is
/// in it, which may be behind the frame.
/// </summary>
public sealed class OptionWalk : Service
{
    public uint Ends { get; private set; }

    public override void Process(ref Frame frame)
    {
        var options = frame.Bytes[14..Math.Min(frame.Length, 14 + frame.Bytes[0])];
        var (at, found) = (0, 0u);
        while (at < options.Length)
        {
            var kind = options[at];
            if (kind == 0) break;
            if (kind == 1)
            {
                at++;
                continue;
            }
            if (at + 1 >= options.Length) break;
            int length = options[at + 1];
            if (length < 2) break;
            if (kind == 2 && length == 4)
            {
                found = BinaryPrimitives.ReadUInt16BigEndian(options[(at + 2)..]);
                break;
            }
            at += length;
        }
        Ends += (uint)at;
        frame.ForwardTo(new PortSet((found ^ (uint)at) & 15));
    }
}

/// <summary>
/// A walk in units of four bytes, whose lengths go into a hash: each turn needs more than where the one before has
/// come to.
/// </summary>
public sealed class HashedWalk : Service
{
    public uint Hash { get; private set; }

    public int Last { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var (hash, last) = (5u, 0);
        for (var at = 16; at < bytes.Length;)
        {
            var length = (bytes[at] & 3) + (bytes[at] == 7 ? 40 : 0);
            hash = (hash << 3 ^ hash) + bytes[at];
            if (length == 0) break;
            last = at;
            at += length * 4;
        }
        (Hash, Last) = (hash, last);
        frame.ForwardTo(new PortSet((hash ^ hash >> 7) & 15));
    }
}

/// <summary>
/// A walk by steps of one, two or many bytes, which ends where the header says, at the frame's end, or at a mark; each
/// end is another.
/// </summary>
public sealed class EndedWalk : Service
{
    public int At { get; private set; }

    public byte Why { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var end = 14 + bytes[1];
        var (at, why, mix) = (15, (byte)0, (byte)0);
        while (true)
        {
            if (at >= end)
            {
                why = 1;
                break;
            }
            if (at >= bytes.Length)
            {
                why = 2;
                break;
            }
            var octet = bytes[at];
            if (octet is 0 or 1)
            {
                why = (byte)(3 + octet);
                break;
            }
            mix ^= octet;
            at += octet switch { < 20 => 1, < 40 => 2, _ => octet };
        }
        (At, Why) = (at, why);
        frame.ForwardTo(new PortSet((uint)(at + why + mix) & 15));
    }
}

/// <summary>A walk from a place on that the header says up to the frame's end, behind which it may be then.</summary>
public sealed class LateWalk : Service
{
    public uint At { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var at = 14 + (bytes[0] & 15);
        while (at < bytes.Length) at += bytes[at] + 1;
        At = (uint)at;
        frame.ForwardTo(new PortSet((uint)(at ^ at >> 4) & 15));
    }
}
