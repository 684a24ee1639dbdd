using System.Buffers.Binary;
using System.ComponentModel.DataAnnotations;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Makes a feed of the best prices out of CME's market data (MDP 3.0, Simple Binary Encoding): of each incremental
/// refresh of the book, the entries of the first level of securities that are asked for remain, in network order, with
/// prices of four decimals.
/// </summary>
/// <remarks>
/// <para>Port 0 has the exchange, port 1 the subscribers, port 2 a host that builds whole books. That gets what is not
/// understood here: other messages, several in one packet, and later versions whose blocks are longer. Refreshes
/// without such an entry are dropped.</para>
/// <para>A datagram to the subscribers has the exchange's sequence number (4 bytes) and sending time (8), the number of
/// entries
/// (2), 2 bytes of 0, and of each entry the security (4), B or S (1), the action as CME has it (1), orders (2),
/// quantity (4), its number for the security (4), and the price (8). It has no UDP checksum.</para>
/// </remarks>
/// <example>--security 5602 --security 6437 --port 14310</example>
/// <param name="security">The identifiers of the securities.</param>
/// <param name="port">The UDP port of the exchange's feed.</param>
/// <param name="outputPort">The UDP port of the feed that is made.</param>
public sealed class TopOfBook(
    uint[] security, [Range(1, 65_535)] ushort port = 14_310, [Range(1, 65_535)] ushort outputPort = 15_310) : Service
{
    private readonly record struct SecurityKey(uint Id) : ITableKey<SecurityKey>
    {
        public static int Width => 32;

        public UInt128 KeyBits => Id;
    }

    /// <summary>The sequence number and the sending time in front of all messages.</summary>
    private const int PacketHeader = 12;

    /// <summary>
    /// The message: its size, the header of SBE, and the fixed block of template 46 (MDIncrementalRefreshBook).
    /// </summary>
    private const int SizeOffset = PacketHeader, BlockLengthOffset = 14, TemplateOffset = 16;
    private const ushort RefreshBook = 46, RefreshBlock = 11;

    /// <summary>The group of entries: the length of one, how many there are, and they.</summary>
    private const int EntryLengthOffset = 33, EntryCountOffset = 35, FirstEntry = 36;
    private const int EntryLength = 32;

    /// <summary>The entries that fit into a packet of 1,500 bytes.</summary>
    private const int MaxEntries = 45;

    /// <summary>Of an entry.</summary>
    private const int Quantity = 8, Security = 12, Number = 16, Orders = 20, Level = 24, Action = 25, Type = 26;
    private const byte Bid = (byte)'0', Offer = (byte)'1';

    /// <summary>
    /// Of a datagram that is made. Its entries are shorter, so none overtakes what is still to be read.
    /// </summary>
    private const int OutputCountOffset = 12, OutputHeader = 16, OutputEntry = 24;

    /// <summary>From nine decimals to four.</summary>
    private const long PriceScale = 100_000;

    /// <summary>The price of an entry that has none (PRICENULL9).</summary>
    private const long NoPrice = long.MaxValue;

    private const int Headers = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength;

    private static readonly PortId s_exchange = new(0), s_subscribers = new(1), s_bookBuilder = new(2);

    private readonly ConstantTable<SecurityKey, bool> _securities =
        new(security.Distinct().ToDictionary(id => new SecurityKey(id), _ => true));

    /// <summary>Packets that were converted.</summary>
    public Counter Converted { get; } = new();

    /// <summary>Entries in them.</summary>
    public Counter Entries { get; } = new();

    /// <summary>Packets dropped: no entry is of the first level of a security that is asked for.</summary>
    public Counter Uninteresting { get; } = new();

    /// <summary>Packets that went to the host that builds books.</summary>
    public Counter Others { get; } = new();

    /// <summary>Packets dropped: wrong lengths or checksums.</summary>
    public Counter Malformed { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (frame.Ingress != s_exchange || ethernet.EtherType != EtherType.IPv4
            || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment || ip.Protocol != IPProtocol.Udp
            || !Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != port)
            return;

        if (!ip.HasValidHeaderChecksum || !udp.HasValidChecksum(ip) || udp.Payload.Length < PacketHeader)
        {
            Malformed.Increment();
            return;
        }
        if (ip.HeaderLength != IPv4.MinHeaderLength || !IsLoneRefresh(udp.Payload, out var entries))
        {
            Others.Increment();
            frame.ForwardTo(s_bookBuilder);
            return;
        }
        if (entries > MaxEntries || udp.Payload.Length < FirstEntry + entries * EntryLength)
        {
            Malformed.Increment();
            return;
        }

        var kept = Convert(udp.Payload, entries);
        if (kept == 0)
        {
            Uninteresting.Increment();
            return;
        }
        Converted.Increment();
        Entries.Add((uint)kept);

        var length = OutputHeader + kept * OutputEntry;
        ip.TotalLength = (ushort)(IPv4.MinHeaderLength + Udp.HeaderLength + length);
        ip.WriteHeaderChecksum();
        udp.Length = (ushort)(Udp.HeaderLength + length);
        udp.Checksum = 0;
        udp.DestinationPort = outputPort;
        frame.Resize(Headers + length); // never below 60 bytes: there is an entry
        frame.ForwardTo(s_subscribers);
    }

    /// <summary>
    /// True if a refresh of the book is all that a packet has, with blocks of the lengths known here.
    /// </summary>
    private static bool IsLoneRefresh(ReadOnlySpan<byte> packet, out int entries)
    {
        entries = 0;
        if (packet.Length < FirstEntry
            || BinaryPrimitives.ReadUInt16LittleEndian(packet[SizeOffset..]) != packet.Length - PacketHeader
            || BinaryPrimitives.ReadUInt16LittleEndian(packet[BlockLengthOffset..]) != RefreshBlock
            || BinaryPrimitives.ReadUInt16LittleEndian(packet[TemplateOffset..]) != RefreshBook
            || BinaryPrimitives.ReadUInt16LittleEndian(packet[EntryLengthOffset..]) != EntryLength)
            return false;
        entries = packet[EntryCountOffset];
        return true;
    }

    /// <summary>Writes the entries that are of interest over the packet.</summary>
    /// <returns>How many they are.</returns>
    private int Convert(Span<byte> packet, int entries)
    {
        var kept = 0;
        for (var i = 0; i < entries; i++)
        {
            var entry = packet.Slice(FirstEntry + i * EntryLength, EntryLength);
            var id = BinaryPrimitives.ReadUInt32LittleEndian(entry[Security..]);
            if (entry[Level] != 1 || entry[Type] is not (Bid or Offer)
                || !_securities.TryGet(new SecurityKey(id), out _))
                continue;

            var price = BinaryPrimitives.ReadInt64LittleEndian(entry);
            var quantity = BinaryPrimitives.ReadInt32LittleEndian(entry[Quantity..]);
            var number = BinaryPrimitives.ReadUInt32LittleEndian(entry[Number..]);
            var orders = BinaryPrimitives.ReadInt32LittleEndian(entry[Orders..]);
            var (action, type) = (entry[Action], entry[Type]);

            // The first one begins in front of the entry that was just read, and ends in it.
            var output = packet.Slice(OutputHeader + kept * OutputEntry, OutputEntry);
            BinaryPrimitives.WriteUInt32BigEndian(output, id);
            output[4] = type == Bid ? (byte)'B' : (byte)'S';
            output[5] = action;
            BinaryPrimitives.WriteUInt16BigEndian(output[6..], (ushort)Math.Clamp(orders, 0, ushort.MaxValue));
            BinaryPrimitives.WriteInt32BigEndian(output[8..], quantity);
            BinaryPrimitives.WriteUInt32BigEndian(output[12..], number);
            BinaryPrimitives.WriteInt64BigEndian(output[16..], price == NoPrice ? NoPrice : price / PriceScale);
            kept++;
        }
        WriteHeader(packet, kept);
        return kept;
    }

    private static void WriteHeader(Span<byte> packet, int kept)
    {
        BinaryPrimitives.WriteUInt32BigEndian(packet, BinaryPrimitives.ReadUInt32LittleEndian(packet));
        BinaryPrimitives.WriteUInt64BigEndian(packet[4..], BinaryPrimitives.ReadUInt64LittleEndian(packet[4..]));
        BinaryPrimitives.WriteUInt16BigEndian(packet[OutputCountOffset..], (ushort)kept);
        BinaryPrimitives.WriteUInt16BigEndian(packet[(OutputCountOffset + 2)..], 0);
    }
}
