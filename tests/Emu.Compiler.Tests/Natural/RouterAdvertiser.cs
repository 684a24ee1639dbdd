using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// The router of a link, as far as hosts ask for it: a valid Router Solicitation (RFC 4861 §6.1.1) is answered by an
/// advertisement of the prefix, the MTU and the resolvers (§4.2, §4.6; RFC 8106 §5.1), to the host when it has an
/// address, and else to all nodes.
/// </summary>
public sealed class RouterAdvertiser : Service
{
    private const byte SourceLinkLayer = 1, PrefixInformation = 3, MtuOption = 5, Resolvers = 25;
    private const int SolicitationLength = 8;
    private const int AdvertisementLength = 16;
    private const int LinkLayerLength = 8, PrefixLength = 32, MtuLength = 8;
    private const uint ValidSeconds = 86_400, PreferredSeconds = 14_400;
    private const ushort RouterSeconds = 1_800;

    private static readonly IPv6Address s_allNodes = IPv6Address.Parse("ff02::1");
    private static readonly IPv6Address s_allRouters = IPv6Address.Parse("ff02::2");

    private readonly MacAddress _mac;
    private readonly IPv6Address _linkLocal;
    private readonly IPv6Address _prefix;
    private readonly IPv6Address[] _resolvers;
    private readonly uint _mtu;
    private readonly TokenBuckets _answers;

    /// <summary>Answers to a host.</summary>
    public Counter ToHost { get; } = new();

    /// <summary>Answers to all nodes.</summary>
    public Counter ToAll { get; } = new();

    /// <summary>Solicitations that are not valid.</summary>
    public Counter Invalid { get; } = new();

    /// <summary>Solicitations that come too fast.</summary>
    public Counter Limited { get; } = new();

    /// <param name="mac">Of the router.</param>
    /// <param name="prefix">The prefix of the link, of 64 bits.</param>
    /// <param name="resolvers">Up to four.</param>
    /// <param name="mtu">Of the link.</param>
    /// <param name="answersPerSecond">The most answers.</param>
    public RouterAdvertiser(
        MacAddress mac, IPv6Address prefix, IPv6Address[] resolvers, int mtu = 1500, int answersPerSecond = 1_000)
    {
        (_mac, _prefix, _resolvers, _mtu) = (mac, prefix, resolvers, (uint)mtu);
        _linkLocal = IPv6Address.LinkLocal(mac);
        _answers = new(1, answersPerSecond, burst: 32);
    }

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv6 || !IPv6.TryParse(ethernet.Payload, out var ip)
            || ip.NextHeader != IPProtocol.Icmpv6 || !Icmpv6.TryParse(ip.Payload, out var icmp)
            || icmp.Type != (Icmpv6Type)133) return;
        if (ip.Destination != s_allRouters && ip.Destination != _linkLocal) return;
        if (!IsValid(ip, icmp, out var hostMac))
        {
            Invalid.Increment();
            return;
        }
        if (!_answers.TryTake(0, 1, frame.Time))
        {
            Limited.Increment();
            return;
        }
        var isToHost = !ip.Source.IsUnspecified && !hostMac.IsGroup;
        var destination = isToHost ? ip.Source : s_allNodes;
        if (isToHost && hostMac.Bits == 0) hostMac = ethernet.Source;
        Write(ref frame, isToHost ? hostMac : s_allNodes.MulticastMac, destination);
        (isToHost ? ToHost : ToAll).Increment();
        frame.Reply();
    }

    private static bool IsValid(IPv6 ip, Icmpv6 icmp, out MacAddress hostMac)
    {
        hostMac = default;
        if (ip.HopLimit != 255 || icmp.Code != 0 || ip.Payload.Length < SolicitationLength
            || !icmp.HasValidChecksum(ip)) return false;
        var options = ip.Payload[SolicitationLength..];
        while (options.Length >= 8)
        {
            var length = 8 * options[1];
            if (length == 0 || length > options.Length) return false;
            if (options[0] == SourceLinkLayer)
            {
                if (ip.Source.IsUnspecified) return false;
                hostMac = options.GetMacAddress(2);
            }
            options = options[length..];
        }
        return options.IsEmpty;
    }

    private void Write(ref Frame frame, MacAddress to, IPv6Address destination)
    {
        var resolversLength = 8 + IPv6Address.Length * _resolvers.Length;
        var length = AdvertisementLength + LinkLayerLength + PrefixLength + MtuLength + resolversLength;
        frame.Resize(0);
        frame.Resize(Ethernet.HeaderLength + IPv6.HeaderLength + length);
        var ethernet = new Ethernet(frame) { Destination = to, Source = _mac, EtherType = EtherType.IPv6 };
        if (!IPv6.TryInitialize(ethernet.Payload, out var ip)) return;
        (ip.Source, ip.Destination, ip.NextHeader, ip.HopLimit) = (_linkLocal, destination, IPProtocol.Icmpv6, 255);
        var message = ip.Payload;
        message[0] = 134;
        message[4] = IPv6.DefaultHopLimit;
        message.SetUInt16(6, RouterSeconds);
        var options = message[AdvertisementLength..];
        Begin(options, SourceLinkLayer, LinkLayerLength).SetMacAddress(2, _mac);
        options = options[LinkLayerLength..];
        var prefix = Begin(options, PrefixInformation, PrefixLength);
        (prefix[2], prefix[3]) = (64, 0xC0);
        prefix.SetUInt32(4, ValidSeconds);
        prefix.SetUInt32(8, PreferredSeconds);
        prefix.SetIPv6Address(16, _prefix);
        options = options[PrefixLength..];
        Begin(options, MtuOption, MtuLength).SetUInt32(4, _mtu);
        options = options[MtuLength..];
        var list = Begin(options, Resolvers, resolversLength);
        list.SetUInt32(4, PreferredSeconds);
        for (var i = 0; i < _resolvers.Length; i++) list.SetIPv6Address(8 + IPv6Address.Length * i, _resolvers[i]);
        if (Icmpv6.TryParse(ip.Payload, out var icmp)) icmp.WriteChecksum(ip);
    }

    private static Span<byte> Begin(Span<byte> options, byte type, int length)
    {
        options[0] = type;
        options[1] = (byte)(length / 8);
        return options[..length];
    }
}
