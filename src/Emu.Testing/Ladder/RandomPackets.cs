namespace Emu.Testing;

/// <summary>Well-formed frames between few stations, so that their state meets.</summary>
internal static class RandomPackets
{
    private const int Stations = 4;
    private const int ShortPayload = 120;
    private const int LongPayload = 1400;

    /// <summary>One frame.</summary>
    public static byte[] Next(Random random)
    {
        var (from, to) = (1 + random.Next(Stations), 1 + random.Next(Stations));
        var ethernet = Packet.Ethernet(Mac(from), random.Next(8) == 0 ? MacAddress.Broadcast : Mac(to));
        if (random.Next(8) == 0) ethernet = ethernet.Vlan((ushort)random.Next(1, 4095));
        return random.Next(6) switch
        {
            0 => ethernet.ArpRequest(Mac(from), IPv4(from), IPv4(to)).PaddedTo(60),
            1 => Above(
                ethernet.IPv4(IPv4(from), IPv4(to), ttl: (byte)random.Next(256)),
                p => p.IcmpEchoRequest((ushort)from, Word(random)),
                random),
            2 => Above(
                ethernet.IPv6(IPv6(from), IPv6(to)), p => p.Icmpv6EchoRequest((ushort)from, Word(random)), random),
            3 => Packet.Ethernet(Mac(from), IPv6(to).SolicitedNode.MulticastMac)
                .IPv6(IPv6(from), IPv6(to).SolicitedNode, hopLimit: Packet.NeighborHopLimit)
                .NeighborSolicitation(IPv6(to), Mac(from)),
            4 => Above(ethernet.IPv4(IPv4(from), IPv4(to)), _ => null, random),
            _ => ethernet.Payload(Payload(random)),
        };
    }

    /// <summary>The message given, or a UDP or TCP segment, with a payload.</summary>
    private static Packet Above(Packet network, Func<Packet, Packet?> message, Random random) =>
        (message(network) ?? (random.Next(2) == 0
            ? network.Udp(Port(random), Port(random))
            : network.Tcp(Port(random), Port(random), (uint)random.Next(), flags: (byte)random.Next(64))))
            .Payload(Payload(random));

    private static byte[] Payload(Random random)
    {
        var bytes = new byte[random.Next(random.Next(20) == 0 ? LongPayload : ShortPayload)];
        random.NextBytes(bytes);
        return bytes;
    }

    private static ushort Word(Random random) => (ushort)random.Next(65536);

    private static ushort Port(Random random) => random.Next(2) == 0 ? (ushort)random.Next(1, 100) : Word(random);

    private static MacAddress Mac(int station) => new(0x0200_0000_0000UL + (uint)station);

    private static IPv4Address IPv4(int station) => new(0x0A00_0000U + (uint)station);

    private static IPv6Address IPv6(int station) => new(new UInt128(0xFD00_0000_0000_0000, (ulong)station));
}
