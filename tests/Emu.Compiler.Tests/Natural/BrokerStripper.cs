using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// The header stripping of a packet broker in front of tools that read only plain Ethernet: tags of VLANs (IEEE 802.1Q
/// §9.6) and of port extenders (IEEE 802.1BR §7.5), stacks of MPLS (RFC 3032 §2.1) and outer headers of VXLAN (RFC 7348
/// §5) and of Ethernet in GRE (RFC 2784, RFC 7637) are taken away.
/// </summary>
/// <remarks>Ports 0 and 1 have the taps, port 2 the tools.</remarks>
/// <param name="maxLabels">The most labels of a stack.</param>
public sealed class BrokerStripper(int maxLabels = 6) : Service
{
    private const EtherType ExtenderTag = (EtherType)0x893F;
    private const EtherType Mpls = (EtherType)0x8847;
    private const EtherType Bridged = (EtherType)0x6558;
    private const int ExtenderTagLength = 8;
    private const int LabelLength = 4;
    private const int MaxTags = 3;
    private const int Addresses = 12;
    private const ushort VxlanPort = 4789;

    private static readonly PortSet s_taps = PortSet.Parse("0,1");
    private static readonly PortId s_tools = new(2);

    /// <summary>Frames without any such header.</summary>
    public Counter Plain { get; } = new();

    /// <summary>Frames that lost tags.</summary>
    public Counter Untagged { get; } = new();

    /// <summary>Frames that lost labels.</summary>
    public Counter Unlabelled { get; } = new();

    /// <summary>Frames out of a tunnel.</summary>
    public Counter Unwrapped { get; } = new();

    /// <summary>Frames with headers that are cut or too deep: they go on as they are.</summary>
    public Counter Kept { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (!s_taps.Contains(frame.Ingress)) return;
        frame.ForwardTo(s_tools);
        var tunnel = FindInner(frame.Bytes);
        if (tunnel > 0)
        {
            frame.Remove(0, tunnel);
            Unwrapped.Increment();
        }
        if (!TryMeasureTags(frame.Bytes, out var tags))
        {
            Kept.Increment();
            return;
        }
        if (tags > 0)
        {
            frame.Remove(Addresses, tags);
            Untagged.Increment();
        }
        if (new Ethernet(frame).EtherType == Mpls) RemoveLabels(ref frame);
        else if (tags == 0 && tunnel <= 0) Plain.Increment();
    }

    /// <summary>The bytes of tags behind the addresses.</summary>
    private static bool TryMeasureTags(Span<byte> bytes, out int length)
    {
        length = 0;
        for (var i = 0; i < MaxTags; i++)
        {
            if (Addresses + length + 2 > bytes.Length) return false;
            switch ((EtherType)bytes.GetUInt16(Addresses + length))
            {
                case EtherType.CTag or EtherType.STag:
                    length += Vlan.HeaderLength;
                    break;
                case ExtenderTag:
                    length += ExtenderTagLength;
                    break;
                default:
                    return true;
            }
        }
        return Addresses + length + 2 <= bytes.Length;
    }

    /// <summary>The place of the frame inside a frame; 0 for none.</summary>
    private static int FindInner(Span<byte> bytes)
    {
        if (!TryMeasureTags(bytes, out var tags)) return 0;
        var start = Addresses + tags + 2;
        if ((EtherType)bytes.GetUInt16(start - 2) != EtherType.IPv4) return 0;
        if (!IPv4.TryParse(bytes[start..], out var ip) || ip.IsFragment) return 0;
        start += ip.HeaderLength;
        var length = ip.Protocol switch
        {
            IPProtocol.Udp => FindVxlan(ip.Payload),
            IPProtocol.Gre => FindBridged(ip.Payload),
            _ => 0,
        };
        if (length == 0 || ip.Payload.Length - length < Ethernet.HeaderLength) return 0;
        return start + length;
    }

    private static int FindVxlan(Span<byte> payload) =>
        Udp.TryParse(payload, out var udp) && udp.DestinationPort == VxlanPort
            && udp.Payload.Length >= Vxlan.HeaderLength && (udp.Payload[0] & 8) != 0
            ? Udp.HeaderLength + Vxlan.HeaderLength
            : 0;

    private static int FindBridged(Span<byte> payload) =>
        Gre.TryParse(payload, out var gre) && gre.EtherType == Bridged ? gre.HeaderLength : 0;

    private void RemoveLabels(ref Frame frame)
    {
        var stack = new Ethernet(frame).Payload;
        for (var i = 0; i < maxLabels; i++)
        {
            var end = LabelLength * (i + 1);
            if (end >= stack.Length) break;
            if ((stack[end - 2] & 1) == 0) continue;
            var type = (stack[end] >> 4) switch
            {
                4 => EtherType.IPv4,
                6 => EtherType.IPv6,
                _ => Mpls,
            };
            if (type == Mpls) break;
            frame.Remove(Ethernet.HeaderLength, end);
            _ = new Ethernet(frame) { EtherType = type };
            Unlabelled.Increment();
            return;
        }
        Kept.Increment();
    }
}
