using System.Buffers.Binary;

namespace Emu.Compiler.Tests;

/// <summary>
/// Takes a header of up to 63 words off the frame's front, and forwards the IPv4 packet behind Ethernet that was inside
/// one hop further, without its padding, or padded anew.
/// </summary>
public sealed class InnerHop : Service
{
    public Counter Cut { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var header = 4 * (frame.Bytes[1] & 63);
        if (header + 34 > frame.Length)
        {
            Cut.Increment();
            return;
        }
        frame.Remove(0, header);
        var ip = frame.Bytes[14..];
        var length = 14 + BinaryPrimitives.ReadUInt16BigEndian(ip[2..]);
        if (ip[0] != 0x45 || length > frame.Length || length < 34 || ip[8] <= 1)
        {
            Malformed.Increment();
            return;
        }
        Forward(ref frame, ip, length);
    }

    /// <summary>Counts a packet's time to live down, changes its checksum, and cuts off what is behind it.</summary>
    internal static void Forward(ref Frame frame, Span<byte> ip, int length)
    {
        var before = BinaryPrimitives.ReadUInt16BigEndian(ip[8..]);
        ip[8]--;
        var after = BinaryPrimitives.ReadUInt16BigEndian(ip[8..]);
        var sum = BinaryPrimitives.ReadUInt16BigEndian(ip[10..]);
        BinaryPrimitives.WriteUInt16BigEndian(ip[10..], InternetChecksum.Update(sum, before, after));
        frame.Resize(length);
        if (length < 60) frame.Resize(60);
        frame.ForwardTo(new PortId(2));
    }
}

/// <summary>
/// Takes a header of any number of bytes out behind Ethernet, checks and writes the checksum of the packet inside, and
/// gives the frame the length that the packet says.
/// </summary>
public sealed class CheckedHop : Service
{
    private ushort _corrupt;

    public override void Process(ref Frame frame)
    {
        var header = frame.Bytes[14] & 127;
        if (header + 34 > frame.Length) return;
        frame.Remove(14, header);
        var ip = frame.Bytes[14..];
        if (InternetChecksum.Sum(ip[..20]) != ushort.MaxValue)
        {
            _corrupt++;
            BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes, _corrupt);
            frame.Flood();
            return;
        }
        ip[8]--;
        ip[10..12].Clear();
        BinaryPrimitives.WriteUInt16BigEndian(ip[10..], InternetChecksum.Compute(ip[..20]));
        frame.Resize(Math.Max(60, 14 + BinaryPrimitives.ReadUInt16BigEndian(ip[2..])));
        frame.ForwardTo(new PortId(1));
    }
}

/// <summary>Takes a header out behind Ethernet and reads behind it, whether that is there or not.</summary>
public sealed class UncheckedHop : Service
{
    private byte _last;

    public override void Process(ref Frame frame)
    {
        frame.Remove(14, frame.Bytes[14] & 127);
        _last ^= frame.Bytes[20];
        var next = BinaryPrimitives.ReadUInt16BigEndian(frame.Bytes[26..]);
        frame.Bytes[14] = _last;
        frame.Resize(20 + (next & 63));
        frame.ForwardTo(new PortId(next & 3));
    }
}

/// <summary>
/// Takes a header of a computed length off, or one with a tag before it, or none, and looks at the packet where these
/// ways have joined.
/// </summary>
public sealed class JoinedHops : Service
{
    private readonly byte[] _counts = new byte[16];

    public override void Process(ref Frame frame)
    {
        var kind = frame.Bytes[0] & 3;
        if (kind == 1)
        {
            var header = 4 * (frame.Bytes[1] & 63);
            if (header + 34 > frame.Length) return;
            frame.Remove(0, header);
        }
        else if (kind == 2)
        {
            var header = 4 * (frame.Bytes[5] & 63) + 8;
            if (header + 34 > frame.Length) return;
            frame.Remove(0, header);
        }
        if (frame.Length < 34) return;
        var ip = frame.Bytes[14..];
        var length = 14 + BinaryPrimitives.ReadUInt16BigEndian(ip[2..]);
        _counts[ip[9] & 15]++;
        if (ip[0] != 0x45 || length > frame.Length || length < 34) return;
        InnerHop.Forward(ref frame, ip, length);
    }
}

/// <summary>
/// Reads behind a header that was taken off and zeros that were put in behind the frame: where the packet ends among
/// the bytes that are read, the rest of them is 0.
/// </summary>
public sealed class FilledHop : Service
{
    private uint _total;

    public override void Process(ref Frame frame)
    {
        frame.Remove(0, 4 * (frame.Bytes[1] & 63));
        if (frame.Length < 60) frame.Resize(60);
        _total += BinaryPrimitives.ReadUInt32BigEndian(frame.Bytes[30..]);
        if ((_total & 1) != 0) frame.Bytes[34] = (byte)_total;
        _total ^= frame.Bytes[35];
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes, _total);
        frame.ForwardTo(new PortId((int)_total & 3));
    }
}

/// <summary>
/// Cuts what is behind a header that was taken off to the packet's length, fills it up to 60 bytes again, and reads in
/// between and behind: bytes that were cut off are 0.
/// </summary>
public sealed class CutHop : Service
{
    public override void Process(ref Frame frame)
    {
        var header = 4 * (frame.Bytes[1] & 63);
        if (header + 34 > frame.Length) return;
        frame.Remove(0, header);
        var length = 14 + (frame.Bytes[17] & 63);
        if (length > frame.Length) return;
        var before = frame.Bytes[33];
        frame.Resize(length);
        if (length < 60)
        {
            frame.Resize(60);
            frame.Bytes[0] = (byte)(frame.Bytes[33] + frame.Bytes[50]);
        }
        frame.Bytes[1] = before;
        frame.Bytes[2] = frame.Bytes[40];
        frame.ForwardTo(new PortId(2));
    }
}
