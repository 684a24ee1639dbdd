using System.Buffers.Binary;
using System.ComponentModel.DataAnnotations;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Adds up the gradients of workers that train one model: of each chunk the last contribution goes back to all of them
/// as
/// the sum (Sapio et al. 2021, <em>Scaling Distributed Machine Learning with In-Network Aggregation</em>, algorithm 3).
/// </summary>
/// <remarks>
/// <para>Worker n is behind port n. A contribution is a UDP datagram: worker (1 byte), version (1), slot (2), offset
/// of the chunk in the model (4), numbers in it (2), 2 reserved bytes, and up to 32 numbers of 32 bits.</para>
/// <para>A slot has two pools. A worker uses them in turn, and sends to one again only when it has the other's
/// sum; so while a pool is filled the other still has the last sum, for a worker that has missed it and asks again.
/// Sums
/// wrap around; workers scale their numbers.</para>
/// <para>Not done: floating point; several jobs; IPv6.</para>
/// </remarks>
/// <example>--address 10.0.0.100 --group 239.0.0.1 --workers 4</example>
/// <param name="address">The address that workers send to.</param>
/// <param name="group">The group that sums are sent to.</param>
/// <param name="workers">How many workers there are.</param>
/// <param name="slots">The chunks that can be on their way at once.</param>
/// <param name="port">The UDP port, of both ends.</param>
public sealed class GradientAggregator(
    IPv4Address address, IPv4Address group, [Range(2, 32)] int workers = 4, [PowerOfTwo(2, 4096)] int slots = 128,
    ushort port = 48879) : Service
{
    private const int HeaderLength = 12;
    private const int VersionOffset = 1, SlotOffset = 2, ChunkOffset = 4, CountOffset = 8;
    private const int NumberLength = 4;
    private const int MaxNumbers = 32;

    /// <summary>The state of one pool besides its numbers.</summary>
    private struct Pool
    {
        /// <summary>A bit for each worker that has contributed, and not to the slot's other pool since.</summary>
        public uint Seen;

        /// <summary>The contributions in the sum; 0 when it is complete, and before the first.</summary>
        public byte Contributions;

        /// <summary>The chunk that is added up: its offset and its length.</summary>
        public uint Chunk;

        public ushort Count;
    }

    private readonly Pool[] _pools = new Pool[2 * slots];
    private readonly int[] _sums = new int[2 * slots * MaxNumbers];
    private readonly PortSet _workers = PortSet.First(workers);
    private readonly MacAddress _mac = MacAddress.Of(address);
    private readonly ArpResponder _arp = new(address, MacAddress.Of(address));

    /// <summary>The Ethernet address of the group (RFC 1112 §6.4).</summary>
    private readonly MacAddress _groupMac = new(0x01005E_000000UL | group.Bits & 0x7F_FFFF);

    /// <summary>Contributions that were added.</summary>
    public Counter Added { get; } = new();

    /// <summary>Sums that were sent to all.</summary>
    public Counter Completed { get; } = new();

    /// <summary>Sums that were sent again, to a worker that had missed one.</summary>
    public Counter Repeated { get; } = new();

    /// <summary>Contributions dropped: they are there already, and others are missing.</summary>
    public Counter Duplicates { get; } = new();

    /// <summary>Dropped: wrong lengths, checksums or numbers, or another chunk than the others'.</summary>
    public Counter Malformed { get; } = new();

    /// <summary>Dropped: all else.</summary>
    public Counter Others { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.Arp && Arp.TryParse(ethernet.Payload, out var arp)
            && ArpResponder.IsValid(arp) && _arp.IsForUs(arp))
        {
            _arp.Answer(ref frame, arp);
        }
        else if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Destination == address && ip.Protocol == IPProtocol.Udp && !ip.IsFragment
            && Udp.TryParse(ip.Payload, out var udp) && udp.DestinationPort == port)
        {
            if (ip.HasValidHeaderChecksum && ip.Source.CanBeSource && udp.HasValidChecksum(ip)
                && IsWellFormed(udp.Payload, frame.Ingress))
                Aggregate(ref frame, ethernet, ip, udp);
            else Malformed.Increment();
        }
        else Others.Increment();
    }

    /// <summary>True for a whole contribution of the worker behind the port that it came from.</summary>
    private bool IsWellFormed(ReadOnlySpan<byte> message, PortId ingress)
    {
        if (message.Length < HeaderLength) return false;
        var count = BinaryPrimitives.ReadUInt16BigEndian(message[CountOffset..]);
        return message[0] == ingress.Index && message[0] < workers && message[VersionOffset] < 2
            && BinaryPrimitives.ReadUInt16BigEndian(message[SlotOffset..]) < slots
            && count is > 0 and <= MaxNumbers && message.Length == HeaderLength + count * NumberLength;
    }

    private void Aggregate(ref Frame frame, Ethernet ethernet, IPv4 ip, Udp udp)
    {
        var message = udp.Payload;
        var worker = 1u << message[0];
        var slot = BinaryPrimitives.ReadUInt16BigEndian(message[SlotOffset..]);
        var chunk = BinaryPrimitives.ReadUInt32BigEndian(message[ChunkOffset..]);
        var count = BinaryPrimitives.ReadUInt16BigEndian(message[CountOffset..]);
        var number = 2 * slot + message[VersionOffset];
        ref var pool = ref _pools[number];

        var isAgain = (pool.Seen & worker) != 0;
        var isComplete = pool.Contributions == 0;
        if ((isAgain || !isComplete) && (pool.Chunk != chunk || pool.Count != count))
        {
            Malformed.Increment();
            return;
        }
        if (isAgain && !isComplete)
        {
            Duplicates.Increment();
            return;
        }

        var numbers = message[HeaderLength..];
        if (isAgain) Read(numbers, number * MaxNumbers, count); // it has missed the sum
        else
        {
            pool.Seen |= worker;
            (pool.Chunk, pool.Count) = (chunk, count);
            pool.Contributions = pool.Contributions + 1 == workers ? (byte)0 : (byte)(pool.Contributions + 1);
            _pools[number ^ 1].Seen &= ~worker; // it has the other pool's sum, or it would not be here
            Add(numbers, number * MaxNumbers, count, isFirst: isComplete);
            Added.Increment();
            if (pool.Contributions != 0) return;
        }

        (ethernet.Destination, ip.Destination) = isAgain ? (ethernet.Source, ip.Source) : (_groupMac, group);
        (ethernet.Source, ip.Source) = (_mac, address);
        (udp.SourcePort, udp.DestinationPort) = (port, isAgain ? udp.SourcePort : port);
        ip.Ttl = IPv4.DefaultTtl;
        ip.WriteHeaderChecksum();
        udp.WriteChecksum(ip);
        if (isAgain)
        {
            Repeated.Increment();
            frame.Reply();
        }
        else
        {
            Completed.Increment();
            frame.Send(_workers); // to the last contributor, too, whom a verdict would leave out
        }
    }

    /// <summary>Adds a worker's numbers to a pool's, and makes them the sums so far.</summary>
    private void Add(Span<byte> numbers, int start, int count, bool isFirst)
    {
        for (var i = 0; i < count; i++)
        {
            var place = numbers.Slice(i * NumberLength, NumberLength);
            var sum = BinaryPrimitives.ReadInt32BigEndian(place) + (isFirst ? 0 : _sums[start + i]);
            _sums[start + i] = sum;
            BinaryPrimitives.WriteInt32BigEndian(place, sum);
        }
    }

    private void Read(Span<byte> numbers, int start, int count)
    {
        for (var i = 0; i < count; i++)
            BinaryPrimitives.WriteInt32BigEndian(numbers.Slice(i * NumberLength, NumberLength), _sums[start + i]);
    }
}
