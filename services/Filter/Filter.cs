using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// A filter in the wire: forwards frames between two ports, and of IP packets those that rules like
/// those of iptables accept.
/// </summary>
/// <remarks>
/// <para>Ports are in pairs: what port 0 receives leaves by port 1 and the other way round; so with 2 and 3, and on.
/// Rules name them port0, port1, port+.</para>
/// <para>Packets meet the chain FORWARD; the chains INPUT and OUTPUT can be written and are met by none. Rules are
/// fixed once it runs. Frames that are not IP, those with a VLAN tag among them, pass. A malformed packet is dropped
/// before any rule: one that is cut off, has a wrong header checksum, a TCP, UDP or ICMP header that is not whole, or a
/// fragment that would overwrite a TCP header's flags.</para>
/// <para>REJECT answers in the name of the destination, by the port that the packet came from; what RFC 1122 §3.2.2 and
/// RFC 4443 §2.4 forbid is not answered.</para>
/// <para>Not done: other tables than filter, names of hosts, fragments put together, the windows of TCP, helpers of
/// protocols such as FTP, REJECT on links whose MTU is below 604 (IPv6: 1280).</para>
/// </remarks>
/// <example>--rules rules-64.txt</example>
public sealed class Filter : Service
{
    private readonly RuleProgram _program;
    private readonly RuleProgram _program6;
    private readonly ConnectionTracker? _tracker;

    /// <summary>
    /// Begins with the rules of the files, on which the commands are then carried out in their order.
    /// </summary>
    /// <param name="rules">A file of rules for IPv4, as iptables-save writes it.</param>
    /// <param name="rule">A command of iptables, such as "-A FORWARD -p tcp --dport 80 -j ACCEPT".</param>
    /// <param name="rules6">A file of rules for IPv6, as ip6tables-save writes it.</param>
    /// <param name="rule6">A command of ip6tables.</param>
    /// <param name="countRules">Counts packets and bytes for each rule and policy.</param>
    /// <param name="connections">
    /// The number of connections that are remembered if a rule asks for their state.
    /// </param>
    /// <param name="hashSeed">Seed of the hash of connections; choose your own where hosts are not trusted.</param>
    public Filter(
        string? rules = null, string[]? rule = null, string? rules6 = null, string[]? rule6 = null,
        bool countRules = false, [PowerOfTwo(4, 1 << 20)] int connections = 4096, ulong hashSeed = 1)
    {
        Rules = GivenRules.Read(IPFamily.IPv4, rules, rule ?? [], "--rule");
        Rules6 = GivenRules.Read(IPFamily.IPv6, rules6, rule6 ?? [], "--rule6");
        _program = RuleCompiler.Compile(Rules, countRules);
        _program6 = RuleCompiler.Compile(Rules6, countRules);
        if (countRules) Counts = new RuleCounts(Rules, Rules6);
        if (!_program.TracksConnections && !_program6.TracksConnections) return;
        Connections = new ConnectionTable(connections, hashSeed);
        _tracker = new ConnectionTracker(Connections);
    }

    /// <summary>
    /// The rules for IPv4, as they were when it was constructed: later changes to them change no verdict.
    /// </summary>
    public RuleSet Rules { get; }

    /// <summary>The rules for IPv6, likewise.</summary>
    public RuleSet Rules6 { get; }

    /// <summary>The counts of each rule and policy; null without <c>countRules</c>.</summary>
    [Control]
    public RuleCounts? Counts { get; }

    /// <summary>The connections that are known; null if no rule asks for them.</summary>
    [Control]
    public ConnectionTable? Connections { get; }

    /// <summary>Packets that left as they came.</summary>
    public Counter Accepted { get; } = new();

    /// <summary>Packets dropped by a rule or a policy.</summary>
    public Counter Dropped { get; } = new();

    /// <summary>Packets dropped whose sender was told so.</summary>
    public Counter Rejected { get; } = new();

    /// <summary>
    /// Dropped: packets that are cut off or whose header contradicts itself, or whose header checksum is wrong.
    /// </summary>
    public Counter Malformed { get; } = new();

    /// <summary>Frames that are neither IPv4 nor IPv6, ARP among them: they pass.</summary>
    public Counter NotIP { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4) FilterIPv4(ref frame, ethernet);
        else if (ethernet.EtherType == EtherType.IPv6) FilterIPv6(ref frame, ethernet);
        else
        {
            NotIP.Increment();
            Pass(ref frame);
        }
    }

    /// <summary>The other port of a pair.</summary>
    internal static PortId Opposite(PortId port) => new((byte)(port.Index ^ 1));

    private void FilterIPv4(ref Frame frame, Ethernet ethernet)
    {
        if (!IPv4.TryParse(ethernet.Payload, out var ip) || !ip.HasValidHeaderChecksum)
        {
            Malformed.Increment();
            return;
        }
        var packet = new PacketFields(frame, ethernet, ip);
        if (packet.IsMalformed) Malformed.Increment();
        else
        {
            Connection? begun = null;
            if (_tracker is not null && _program.TracksConnections)
                packet = packet with { ConnectionState = _tracker.Track(packet, ip, frame.Seconds, out begun) };
            var verdict = _program.Decide(packet);
            CarryOut(ref frame, verdict, begun);
            if (_program.CanReject && verdict >= Verdict.Reject && IcmpError.IsAllowed(ethernet, ip))
            {
                var (type, code) = _program.Rejection(verdict);
                if (type == 0) TcpReset.Reply(ref frame, ethernet, ip);
                else IcmpError.Reply(ref frame, ip, (IcmpType)type, code, ip.Destination, ethernet.Destination);
            }
        }
    }

    private void FilterIPv6(ref Frame frame, Ethernet ethernet)
    {
        if (!IPv6.TryParse(ethernet.Payload, out var ip))
        {
            Malformed.Increment();
            return;
        }
        var upper = new UpperLayer(ip);
        var packet = new PacketFields(frame, ethernet, ip, upper);
        if (upper.IsMalformed || packet.IsMalformed) Malformed.Increment();
        else
        {
            Connection? begun = null;
            if (_tracker is not null && _program6.TracksConnections)
                packet = packet with
                {
                    ConnectionState = _tracker.Track(packet, ip, upper, frame.Seconds, out begun),
                };
            var verdict = _program6.Decide(packet);
            CarryOut(ref frame, verdict, begun);
            if (_program6.CanReject && verdict >= Verdict.Reject && IcmpError.IsAllowed(ethernet, ip))
            {
                var (type, code) = _program6.Rejection(verdict);
                if (type == 0) TcpReset.Reply(ref frame, ethernet, ip, upper);
                else IcmpError.Reply(ref frame, ip, (Icmpv6Type)type, code, ip.Destination, ethernet.Destination);
            }
        }
    }

    private void CarryOut(ref Frame frame, Verdict verdict, in Connection? begun)
    {
        if (verdict == Verdict.Accept && begun is { } connection) _tracker?.Remember(connection, frame.Seconds);
        if (verdict == Verdict.Accept)
        {
            Accepted.Increment();
            Pass(ref frame);
        }
        else if (verdict == Verdict.Drop) Dropped.Increment();
        else Rejected.Increment();
    }

    private static void Pass(ref Frame frame) => frame.ForwardTo(Opposite(frame.Ingress));
}
