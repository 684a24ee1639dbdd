using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Writes the names of DNS questions in lower case, as servers need that do not keep the case of letters of a resolver
/// that mixes them (RFC 4343 §3, RFC 1035 §2.3.3): all questions for a name then meet in one entry of a cache.
/// </summary>
/// <remarks>Port 0 has the resolvers, port 1 the server.</remarks>
public sealed class NameFolder : Service
{
    private const int MaxNameLength = 255;
    private const int MaxLabelLength = 63;
    private const int QuestionTail = 4;

    private static readonly PortId s_resolvers = new(0);
    private static readonly PortId s_server = new(1);

    /// <summary>Questions whose names had capitals, which are small now.</summary>
    public Counter Folded { get; } = new();

    /// <summary>Questions that were in lower case.</summary>
    public Counter Unchanged { get; } = new();

    /// <summary>Letters that were changed.</summary>
    public Counter Letters { get; } = new();

    /// <summary>Questions that are dropped: no proper name, or a bad checksum.</summary>
    public Counter Malformed { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_server)
        {
            frame.ForwardTo(s_resolvers);
            return;
        }
        var ethernet = new Ethernet(frame);
        var isGood = ethernet.EtherType switch
        {
            EtherType.IPv4 => Fold4(ethernet.Payload),
            EtherType.IPv6 => Fold6(ethernet.Payload),
            _ => true,
        };
        if (!isGood)
        {
            Malformed.Increment();
            return;
        }
        frame.ForwardTo(s_server);
    }

    private bool Fold4(Span<byte> packet)
    {
        if (!IPv4.TryParse(packet, out var ip)) return false;
        if (ip.Protocol != IPProtocol.Udp || ip.IsFragment) return true;
        if (!Udp.TryParse(ip.Payload, out var udp)) return false;
        if (udp.DestinationPort != Dns.Port) return true;
        if (!udp.HasValidChecksum(ip)) return false;
        if (!TryFold(udp.Payload, out var changed)) return false;
        if (changed > 0 && udp.Checksum != 0) udp.WriteChecksum(ip);
        Count(changed);
        return true;
    }

    private bool Fold6(Span<byte> packet)
    {
        if (!IPv6.TryParse(packet, out var ip)) return false;
        if (ip.NextHeader != IPProtocol.Udp) return true;
        if (!Udp.TryParse(ip.Payload, out var udp)) return false;
        if (udp.DestinationPort != Dns.Port) return true;
        if (!udp.HasValidChecksum(ip)) return false;
        if (!TryFold(udp.Payload, out var changed)) return false;
        if (changed > 0) udp.WriteChecksum(ip);
        Count(changed);
        return true;
    }

    private void Count(int changed)
    {
        if (changed == 0)
        {
            Unchanged.Increment();
            return;
        }
        Folded.Increment();
        Letters.Add((ulong)changed);
    }

    private static bool TryFold(Span<byte> message, out int changed)
    {
        changed = 0;
        if (!Dns.TryParse(message, out var dns) || dns.IsResponse || dns.QuestionCount != 1) return false;
        var question = dns.Payload;
        var at = 0;
        while (at < question.Length && at < MaxNameLength)
        {
            int length = question[at++];
            if (length == 0) return at + QuestionTail <= question.Length;
            if (length > MaxLabelLength || at + length > question.Length) return false;
            foreach (ref var letter in question.Slice(at, length))
            {
                if (letter is < (byte)'A' or > (byte)'Z') continue;
                letter |= 0x20;
                changed++;
            }
            at += length;
        }
        return false;
    }
}
