using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Stands between a host and a labelled network (FIPS 188, CIPSO): what the host sends gets a security option with its
/// level and categories, and what comes for it must have one that it may read, which is taken out again.
/// </summary>
/// <param name="domain">The domain of interpretation of the labels.</param>
/// <param name="level">The level of the host.</param>
/// <param name="categories">The categories of the host, the first in the highest of the 16 bits.</param>
public sealed class CipsoLabeler(uint domain = 16, byte level = 2, ushort categories = 0xC000) : Service
{
    private const IPv4OptionType Cipso = (IPv4OptionType)134;
    private const byte BitmapTag = 1;
    private const int OptionLength = 12;
    private const int OptionsOffset = Ethernet.HeaderLength + IPv4.MinHeaderLength;

    private static readonly PortId s_host = new(0);
    private static readonly PortId s_network = new(1);

    /// <summary>Packets of the host that got a label.</summary>
    public Counter Labelled { get; } = new();

    /// <summary>Packets for the host whose label was taken out.</summary>
    public Counter Stripped { get; } = new();

    /// <summary>Packets for the host that have no label.</summary>
    public Counter Unlabelled { get; } = new();

    /// <summary>Packets for the host whose label is above it, of another domain, or not understood.</summary>
    public Counter Refused { get; } = new();

    /// <summary>Packets of the host with a label of its own, or no room for one.</summary>
    public Counter Unfit { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.Arp)
        {
            frame.ForwardTo(frame.Ingress == s_host ? s_network : s_host);
            return;
        }
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (frame.Ingress == s_host) Label(ref frame, ip);
        else if (frame.Ingress == s_network) Strip(ref frame, ip);
    }

    private void Label(ref Frame frame, IPv4 ip)
    {
        var (headerLength, totalLength) = (ip.HeaderLength + OptionLength, ip.TotalLength + OptionLength);
        if (TryFind(ip, out _, out _) || headerLength > IPv4.MaxHeaderLength || totalLength > FrameLength.DefaultMtu)
        {
            Unfit.Increment();
            return;
        }

        frame.Resize(Ethernet.HeaderLength + ip.TotalLength);
        frame.Insert(OptionsOffset, OptionLength);
        var option = frame.Bytes.Slice(OptionsOffset, OptionLength);
        option[0] = (byte)Cipso;
        option[1] = OptionLength;
        option.SetUInt32(2, domain);
        option[6] = BitmapTag;
        option[7] = 6;
        option[9] = level;
        option.SetUInt16(10, categories);
        WriteLengths(ref frame, headerLength, totalLength);
        Labelled.Increment();
        frame.ForwardTo(s_network);
    }

    private void Strip(ref Frame frame, IPv4 ip)
    {
        if (!TryFind(ip, out var offset, out var option))
        {
            Unlabelled.Increment();
            return;
        }
        if (!IsReadable(option))
        {
            Refused.Increment();
            return;
        }

        var length = option.Length;
        if (length % 4 != 0)
        {
            option.Fill((byte)IPv4OptionType.NoOperation);
            ip.WriteHeaderChecksum();
        }
        else
        {
            var (headerLength, totalLength) = (ip.HeaderLength - length, ip.TotalLength - length);
            frame.Remove(OptionsOffset + offset, length);
            WriteLengths(ref frame, headerLength, totalLength);
        }
        Stripped.Increment();
        frame.ForwardTo(s_host);
    }

    /// <summary>Finds the label of a packet, and where it lies in the options.</summary>
    private static bool TryFind(IPv4 ip, out int offset, out Span<byte> option)
    {
        offset = 0;
        option = default;
        var options = ip.Options;
        while (options.MoveNext())
        {
            if (options.Type == Cipso)
            {
                option = options.Bytes;
                return true;
            }
            offset += options.Length;
        }
        return false;
    }

    /// <summary>True if the label is at most the host's level, and of no category that the host has not.</summary>
    private bool IsReadable(Span<byte> option)
    {
        if (option.Length < 10 || option.GetUInt32(2) != domain || option[6] != BitmapTag
            || option[7] != option.Length - 6 || option[9] > level)
            return false;
        for (var i = 10; i < option.Length; i++)
        {
            var own = i == 10 ? categories >> 8 : i == 11 ? categories & 0xFF : 0;
            if ((option[i] & ~own) != 0) return false;
        }
        return true;
    }

    private static void WriteLengths(ref Frame frame, int headerLength, int totalLength)
    {
        frame.Bytes[Ethernet.HeaderLength] = (byte)(4 << 4 | headerLength / 4);
        frame.Bytes.SetUInt16(Ethernet.HeaderLength + 2, (ushort)totalLength);
        if (IPv4.TryParse(frame.Bytes[Ethernet.HeaderLength..], out var ip)) ip.WriteHeaderChecksum();
        if (frame.Length < Ethernet.MinFrameLength) frame.Resize(Ethernet.MinFrameLength);
    }
}
