namespace Emu.Protocols.Tests;

/// <summary>
/// Reads all that there is to read in a frame, through every view that its bytes allow at every place where that view
/// may start, whatever the header before says. The digest of it all tells whether two runs have read the same.
/// </summary>
internal static class EveryAccessor
{
    /// <summary>
    /// The most steps that a cursor may take: one a byte of the longest option list, or one per 8 bytes of a packet.
    /// </summary>
    private const int MaxSteps = 65536 / 8;

    public static ulong Read(Span<byte> frame)
    {
        if (!Ethernet.TryParse(frame, out var ethernet)) return LinkPayload(frame);
        return Mix(Read(ethernet), LinkPayload(ethernet.Payload));
    }

    public static ulong Read(in Ethernet v) =>
        Mix(v.Destination.Bits, v.Source.Bits, (ulong)v.EtherType, v.IsLength, v.Length, Bytes(v.Payload));

    public static ulong Read(in Vlan v) =>
        Mix(v.Pcp, v.Dei, v.Vid, (ulong)v.EtherType, v.IsLength, v.Length, Bytes(v.Payload));

    public static ulong Read(in Llc v) => Mix(v.HeaderLength, v.Dsap, v.Ssap, v.Control, Bytes(v.Payload));

    public static ulong Read(in Arp v) => Mix(
        (ulong)v.Operation, v.SenderHardwareAddress.Bits, v.SenderProtocolAddress.Bits, v.TargetHardwareAddress.Bits,
        v.TargetProtocolAddress.Bits);

    public static ulong Read(in IPv4 v)
    {
        var digest = Mix(
            v.HeaderLength, v.Dscp, v.Ecn, v.TotalLength, v.Identification, v.ReservedFlag, v.DontFragment,
            v.MoreFragments, v.FragmentOffset, v.IsFragment, v.Ttl, (ulong)v.Protocol, v.HeaderChecksum,
            v.HasValidHeaderChecksum, v.Source.Bits, v.Destination.Bits, Bytes(v.OptionBytes), Bytes(v.Payload),
            v.PseudoHeaderSum(v.Protocol, v.Payload.Length));
        var options = v.Options;
        var steps = 0;
        do digest = Mix(digest, (ulong)options.Type, options.Length, Bytes(options.Data), options.IsMalformed);
        while (options.MoveNext() && ++steps < MaxSteps);
        Assert.True(steps <= v.OptionBytes.Length);
        return digest;
    }

    public static ulong Read(in IPv6 v)
    {
        var digest = Mix(
            v.Dscp, v.Ecn, v.FlowLabel, v.PayloadLength, (ulong)v.NextHeader, v.HopLimit, Wide(v.Source.Bits),
            Wide(v.Destination.Bits), Bytes(v.Payload), v.PseudoHeaderSum(v.NextHeader, v.Payload.Length));
        var extensions = v.Extensions;
        var steps = 0;
        do
        {
            digest = Mix(
                digest,
                (ulong)extensions.Header,
                Bytes(extensions.Bytes),
                (ulong)extensions.NextHeader,
                Bytes(extensions.Payload));
            digest = Mix(
                digest,
                extensions.FragmentOffset,
                extensions.MoreFragments,
                extensions.IsFragment,
                extensions.IsMalformed);
            digest = Mix(digest, Read(extensions.Options, extensions.Bytes.Length));
        }
        while (extensions.MoveNext() && ++steps < MaxSteps);
        Assert.True(steps <= v.Payload.Length / 8);
        return digest;
    }

    private static ulong Read(IPv6Options options, int length)
    {
        var (digest, steps) = (0UL, 0);
        do digest = Mix(digest, options.Type, (ulong)options.ActionIfUnknown, Bytes(options.Data), options.IsMalformed);
        while (options.MoveNext() && ++steps < MaxSteps);
        Assert.True(steps <= length);
        return digest;
    }

    public static ulong Read(in Icmp v) =>
        Mix(
            (ulong)v.Type, v.Code, v.Checksum, v.HasValidChecksum, v.RestOfHeader, v.Identifier, v.SequenceNumber,
            Bytes(v.Data));

    public static ulong Read(in Icmpv6 v) =>
        Mix(
            (ulong)v.Type, v.Code, v.Checksum, v.RestOfHeader, v.Identifier, v.SequenceNumber, Bytes(v.Data),
            Bytes(v.Message));

    public static ulong Read(in NeighborSolicitation v) =>
        Mix(Wide(v.Target.Bits), Bytes(v.OptionBytes), Read(v.Options, v.OptionBytes.Length));

    public static ulong Read(in NeighborAdvertisement v) =>
        Mix(
            v.IsRouter,
            v.Solicited,
            v.Override,
            Wide(v.Target.Bits),
            Bytes(v.OptionBytes),
            Read(v.Options, v.OptionBytes.Length));

    public static ulong Read(in Ntp v) => Mix(
        v.Leap, v.Version, (ulong)v.Mode, v.Stratum, (byte)v.Poll, (byte)v.Precision, v.RootDelay, v.RootDispersion,
        v.ReferenceId, v.ReferenceTimestamp, v.OriginTimestamp, v.ReceiveTimestamp, v.TransmitTimestamp);

    public static ulong Read(in Vxlan v) => Mix(v.HasVni, v.Vni, Bytes(v.Payload));

    public static ulong Read(in Gre v) => Mix(
        v.HasChecksum, v.HasKey, v.HasSequenceNumber, (ulong)v.EtherType, v.Checksum, v.Key, v.SequenceNumber,
        v.HeaderLength, Bytes(v.Payload), v.HasValidChecksum);

    public static ulong Read(in Dns v) => Mix(
        v.Id, v.IsResponse, (ulong)v.Opcode, v.IsAuthoritative, v.IsTruncated, v.RecursionDesired,
        v.RecursionAvailable, v.AuthenticData, v.CheckingDisabled, (ulong)v.ResponseCode, v.QuestionCount,
        v.AnswerCount, v.AuthorityCount, v.AdditionalCount, Bytes(v.Payload));

    public static ulong Read(in MemcachedFrame v) => Mix(v.Id, v.Sequence, v.Count, v.Reserved, Bytes(v.Payload));

    public static ulong Read(in MemcachedMessage v) => Mix(
        v.Magic, (ulong)v.Opcode, v.KeyLength, v.ExtrasLength, v.DataType, (ulong)v.Status, v.BodyLength, v.Opaque,
        v.Unique, Bytes(v.Payload));

    public static ulong Read(in Udp v) => Mix(v.SourcePort, v.DestinationPort, v.Length, v.Checksum, Bytes(v.Payload));

    public static ulong Read(in Tcp v)
    {
        var digest = Mix(
            v.HeaderLength, v.SourcePort, v.DestinationPort, v.SequenceNumber, v.AcknowledgmentNumber, v.Reserved,
            (ulong)v.Flags, v.IsFin, v.IsSyn, v.IsRst, v.IsAck, v.Window, v.Checksum, v.UrgentPointer,
            Bytes(v.OptionBytes), Bytes(v.Payload));
        var options = v.Options;
        var steps = 0;
        do
        {
            digest = Mix(
                digest,
                (ulong)options.Kind,
                options.Length,
                Bytes(options.Data),
                options.IsMalformed,
                options.IsSackPermitted);
            digest = Mix(
                digest, options.TryReadMaximumSegmentSize(out var size), size,
                options.TryReadWindowScale(out var shift), shift);
            digest = Mix(digest, options.TryReadTimestamps(out var value, out var echoReply), value, echoReply);
        }
        while (options.MoveNext() && ++steps < MaxSteps);
        Assert.True(steps <= v.OptionBytes.Length);
        return digest;
    }

    private static ulong Read(NeighborDiscoveryOptions options, int length)
    {
        var digest = 0UL;
        var steps = 0;
        do
        {
            digest = Mix(digest, (ulong)options.Type, options.Length, Bytes(options.Data), options.IsMalformed);
            digest = Mix(digest, options.TryReadLinkLayerAddress(out var address), address.Bits);
        }
        while (options.MoveNext() && ++steps < MaxSteps);
        Assert.True(steps <= length / 8);
        return digest;
    }

    /// <summary>Reads the headers that may follow an EtherType.</summary>
    private static ulong LinkPayload(Span<byte> bytes)
    {
        var digest = UpperLayer(bytes);
        if (Vlan.TryParse(bytes, out var tag)) digest = Mix(digest, Read(tag), NetworkLayer(tag.Payload));
        if (Llc.TryParse(bytes, bytes.Length, out var llc)) digest = Mix(digest, Read(llc));
        if (Llc.TryParse(bytes, bytes.Length / 2, out llc)) digest = Mix(digest, Read(llc));
        return Mix(digest, NetworkLayer(bytes));
    }

    private static ulong NetworkLayer(Span<byte> bytes)
    {
        var digest = 0UL;
        if (Arp.TryParse(bytes, out var arp)) digest = Mix(digest, Read(arp));
        if (IPv4.TryParse(bytes, out var ip4))
        {
            digest = Mix(digest, Read(ip4), UpperLayer(ip4.Payload));
            if (Udp.TryParse(ip4.Payload, out var udp)) digest = Mix(digest, udp.HasValidChecksum(ip4));
            if (Tcp.TryParse(ip4.Payload, out var tcp)) digest = Mix(digest, tcp.HasValidChecksum(ip4));
        }
        if (IPv6.TryParse(bytes, out var ip6))
        {
            digest = Mix(digest, Read(ip6), UpperLayer(ip6.Payload));
            if (Udp.TryParse(ip6.Payload, out var udp)) digest = Mix(digest, udp.HasValidChecksum(ip6));
            if (Tcp.TryParse(ip6.Payload, out var tcp)) digest = Mix(digest, tcp.HasValidChecksum(ip6));
            if (Icmpv6.TryParse(ip6.Payload, out var icmp)) digest = Mix(digest, icmp.HasValidChecksum(ip6));
        }
        return digest;
    }

    private static ulong UpperLayer(Span<byte> bytes)
    {
        var digest = 0UL;
        if (Icmp.TryParse(bytes, out var icmp)) digest = Mix(digest, Read(icmp));
        if (Udp.TryParse(bytes, out var udp)) digest = Mix(digest, Read(udp));
        if (Ntp.TryParse(bytes, out var ntp)) digest = Mix(digest, Read(ntp));
        if (Vxlan.TryParse(bytes, out var vxlan)) digest = Mix(digest, Read(vxlan));
        if (Gre.TryParse(bytes, out var gre)) digest = Mix(digest, Read(gre));
        if (Dns.TryParse(bytes, out var dns)) digest = Mix(digest, Read(dns));
        if (MemcachedFrame.TryParse(bytes, out var memcached)) digest = Mix(digest, Read(memcached));
        if (MemcachedMessage.TryParse(bytes, out var message)) digest = Mix(digest, Read(message));
        if (Tcp.TryParse(bytes, out var tcp)) digest = Mix(digest, Read(tcp));
        if (!Icmpv6.TryParse(bytes, out var icmpv6)) return digest;
        digest = Mix(digest, Read(icmpv6));
        if (NeighborSolicitation.TryParse(icmpv6, out var solicitation)) digest = Mix(digest, Read(solicitation));
        if (NeighborAdvertisement.TryParse(icmpv6, out var advertisement)) digest = Mix(digest, Read(advertisement));
        return digest;
    }

    private static Word Wide(UInt128 bits) => Mix((ulong)(bits >> 64), (ulong)bits);

    /// <summary>
    /// Its length and its ends: enough to fault if the span reached outside, and to tell where it lies.
    /// </summary>
    private static Word Bytes(ReadOnlySpan<byte> bytes) =>
        bytes.Length == 0 ? 0 : Mix(bytes.Length, bytes[0], bytes[^1]);

    private static ulong Mix(params ReadOnlySpan<Word> words)
    {
        const ulong prime = 0x9E37_79B9_7F4A_7C15;
        var digest = prime;
        foreach (var word in words) digest = (digest ^ word.Bits) * prime ^ digest >> 29;
        return digest;
    }

    /// <summary>Any value of a field.</summary>
    private readonly struct Word(ulong bits)
    {
        public ulong Bits => bits;

        public static implicit operator Word(ulong value) => new(value);

        public static implicit operator Word(int value) => new((ulong)value);

        public static implicit operator Word(ushort value) => new(value);

        public static implicit operator Word(byte value) => new(value);

        public static implicit operator Word(bool value) => new(value ? 1UL : 0);
    }
}
