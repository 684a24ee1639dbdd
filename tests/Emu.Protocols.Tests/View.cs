namespace Emu.Protocols.Tests;

/// <summary>Views at the start of bytes that their checks accept.</summary>
internal static class View
{
    /// <summary>Random bytes but for those that the check of a view looks at.</summary>
    public static byte[] Acceptable(string view, Random random, int length)
    {
        var bytes = new byte[length];
        random.NextBytes(bytes);
        (int Offset, byte Value)[] required = view switch
        {
            nameof(Protocols.Llc) => [(2, 3)],
            nameof(Protocols.Arp) => [(0, 0), (1, 1), (2, 8), (3, 0), (4, 6), (5, 4)],
            nameof(Protocols.IPv4) => [(0, 0x46), (2, 0), (3, (byte)length)],
            nameof(Protocols.IPv6) =>
                [(0, (byte)(0x60 | bytes[0] & 0xF)), (4, 0), (5, (byte)(length - Protocols.IPv6.HeaderLength))],
            nameof(Protocols.NeighborSolicitation) => [(0, 135), (1, 0)],
            nameof(Protocols.NeighborAdvertisement) => [(0, 136), (1, 0)],
            nameof(Protocols.Udp) => [(4, 0), (5, (byte)length)],
            nameof(Protocols.Gre) => [(0, 0xB0), (1, 0)],
            nameof(Protocols.Tcp) => [(12, (byte)(0x60 | bytes[12] & 0xF))],
            _ => [],
        };
        foreach (var (offset, value) in required) bytes[offset] = value;
        return bytes;
    }

    public static Vlan Vlan(Span<byte> bytes) => Protocols.Vlan.TryParse(bytes, out var view) ? view : throw Refused();

    public static Llc Llc(Span<byte> bytes) =>
        Protocols.Llc.TryParse(bytes, bytes.Length, out var view) ? view : throw Refused();

    public static Arp Arp(Span<byte> bytes) => Protocols.Arp.TryParse(bytes, out var view) ? view : throw Refused();

    public static IPv4 IPv4(Span<byte> bytes) => Protocols.IPv4.TryParse(bytes, out var view) ? view : throw Refused();

    public static IPv6 IPv6(Span<byte> bytes) => Protocols.IPv6.TryParse(bytes, out var view) ? view : throw Refused();

    public static Icmp Icmp(Span<byte> bytes) => Protocols.Icmp.TryParse(bytes, out var view) ? view : throw Refused();

    public static Icmpv6 Icmpv6(Span<byte> bytes) =>
        Protocols.Icmpv6.TryParse(bytes, out var view) ? view : throw Refused();

    public static NeighborSolicitation NeighborSolicitation(Span<byte> bytes) =>
        Protocols.NeighborSolicitation.TryParse(Icmpv6(bytes), out var view) ? view : throw Refused();

    public static NeighborAdvertisement NeighborAdvertisement(Span<byte> bytes) =>
        Protocols.NeighborAdvertisement.TryParse(Icmpv6(bytes), out var view) ? view : throw Refused();

    public static Udp Udp(Span<byte> bytes) => Protocols.Udp.TryParse(bytes, out var view) ? view : throw Refused();

    public static Ntp Ntp(Span<byte> bytes) => Protocols.Ntp.TryParse(bytes, out var view) ? view : throw Refused();

    public static Vxlan Vxlan(Span<byte> bytes) =>
        Protocols.Vxlan.TryParse(bytes, out var view) ? view : throw Refused();

    public static Gre Gre(Span<byte> bytes) => Protocols.Gre.TryParse(bytes, out var view) ? view : throw Refused();

    public static Dns Dns(Span<byte> bytes) => Protocols.Dns.TryParse(bytes, out var view) ? view : throw Refused();

    public static MemcachedFrame MemcachedFrame(Span<byte> bytes) =>
        Protocols.MemcachedFrame.TryParse(bytes, out var view) ? view : throw Refused();

    public static MemcachedMessage MemcachedMessage(Span<byte> bytes) =>
        Protocols.MemcachedMessage.TryParse(bytes, out var view) ? view : throw Refused();

    public static Tcp Tcp(Span<byte> bytes) => Protocols.Tcp.TryParse(bytes, out var view) ? view : throw Refused();

    private static InvalidOperationException Refused() => new("The check has refused the bytes.");
}
