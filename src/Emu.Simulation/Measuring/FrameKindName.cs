using Emu.Protocols;

namespace Emu.Simulation;

/// <summary>
/// Names kinds of frames by their protocols and what their headers ask for, so that frames alike have one name.
/// </summary>
internal static class FrameKindName
{
    private const int EphemeralPort = 49152; // RFC 6335 §6: dynamic ports, each of one conversation

    /// <summary>
    /// The name of a frame's kind, such as <c>UDP to port 123</c> or <c>VLAN-tagged IPv6 TCP SYN to port 80</c>.
    /// </summary>
    /// <param name="frame">The frame from the destination address to the last byte before the FCS.</param>
    public static string Of(ReadOnlySpan<byte> frame)
    {
        var fields = PacketText.Fields(frame);
        string? First(string name) => fields.FirstOrDefault(field => field.Name == name).Value;
        bool Has(string name) => fields.Any(field => field.Name == name);

        var tags = fields.Count(field => field.Name is "vlan.id" or "ieee8021ad.id") switch
        {
            0 => "",
            1 => "VLAN-tagged ",
            _ => "twice tagged ",
        };
        if (Has("_ws.malformed")) return $"{tags}malformed {First("_ws.malformed")}";
        if (First("arp.opcode") is { } operation)
            return $"{tags}ARP {operation switch { "1" => "request", "2" => "reply", _ => operation }}";
        var isIPv4 = Has("ip.src");
        if (!isIPv4 && !Has("ipv6.src")) return tags + (First("eth.type") is { } type ? $"EtherType {type}" : "LLC");
        var packet = $"{tags}{(isIPv4 ? "IPv4" : "IPv6")} {Transport(First)}";
        if (Has("ip.opt.type")) packet += ", IP options";
        return First("ip.flags.mf") == "1" || First("ip.frag_offset") is { } offset && offset != "0"
            ? $"{packet}, fragment"
            : packet;
    }

    private static string Transport(Func<string, string?> first)
    {
        if (first("udp.dstport") is { } datagram) return $"UDP to {Port(datagram)}";
        if (first("tcp.dstport") is { } segment) return $"TCP {Flags(first("tcp.flags"))}to {Port(segment)}";
        if (first("icmp.type") is { } icmp)
            return $"ICMP {icmp switch { "8" => "echo request", "0" => "echo reply", _ => $"type {icmp}" }}";
        if (first("icmpv6.type") is not { } icmpv6) return $"protocol {first("ip.proto") ?? first("ipv6.nxt")}";
        return $"ICMPv6 {icmpv6 switch
        {
            "128" => "echo request",
            "129" => "echo reply",
            "135" => "neighbor solicitation",
            "136" => "neighbor advertisement",
            _ => $"type {icmpv6}",
        }}";
    }

    private static string Port(string number) =>
        int.Parse(number) >= EphemeralPort ? "a dynamic port" : $"port {number}";

    private static string Flags(string? flags)
    {
        const int Fin = 1, Syn = 2, Rst = 4, Ack = 16;
        var bits = flags is null ? 0 : Convert.ToInt32(flags, 16);
        if ((bits & Syn) != 0) return (bits & Ack) != 0 ? "SYN ACK " : "SYN ";
        return (bits & Rst) != 0 ? "RST " : (bits & Fin) != 0 ? "FIN " : "";
    }
}
