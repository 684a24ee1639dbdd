using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Takes the options out of IPv4 packets, as many networks do at their edge (RFC 7126): what is behind them follows the
/// header of 20 bytes, and lengths and checksum are right again.
/// </summary>
/// <remarks>
/// Packets without options pass as they came, and so do frames that are no IPv4. One with options whose header
/// checksum is wrong is dropped: with a new checksum it would look right. Padding behind a packet stays.
/// </remarks>
/// <example>--drop false</example>
/// <param name="drop">Packets with options are dropped instead.</param>
public sealed class OptionStripper(bool drop = false) : Service
{
    /// <summary>Version 4, and a header of five words.</summary>
    private const byte VersionAndLength = 0x45;

    /// <summary>Packets that lost their options.</summary>
    public Counter Stripped { get; } = new();

    /// <summary>Packets dropped, as asked for or for their checksum.</summary>
    public Counter Dropped { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.HeaderLength == IPv4.MinHeaderLength)
            return;
        if (drop || !ip.HasValidHeaderChecksum)
        {
            frame.Drop();
            Dropped.Increment();
            return;
        }
        var (options, length) = (ip.OptionBytes.Length, ip.TotalLength);
        frame.Remove(Ethernet.HeaderLength + IPv4.MinHeaderLength, options);

        var header = frame.Bytes.Slice(Ethernet.HeaderLength, IPv4.MinHeaderLength);
        header[0] = VersionAndLength;
        BinaryPrimitives.WriteUInt16BigEndian(header[2..], (ushort)(length - options));
        BinaryPrimitives.WriteUInt16BigEndian(header[10..], 0);
        BinaryPrimitives.WriteUInt16BigEndian(header[10..], InternetChecksum.Compute(header));
        Stripped.Increment();
    }
}
