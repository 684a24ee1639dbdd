using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Adds up vectors of 16 numbers that workers send, in the network (Sapio et al. 2021, <em>Scaling distributed machine
/// learning with in-network aggregation</em>): when all workers have sent theirs for a slot, all get the sum. One that
/// has lost it sends again and gets it alone.
/// </summary>
/// <remarks>
/// A datagram is a slot (16 bits), the version of the slot (8), the worker (8), and 16 numbers of 32 bits. Workers use
/// the two versions of a slot in turn: a contribution to one says that the sum of the other has been received. Sums go
/// to a group. ARP is not answered: workers know the address.
/// </remarks>
/// <param name="mac">The MAC address of the aggregator.</param>
/// <param name="address">The IPv4 address of the aggregator.</param>
/// <param name="workers">The workers, 2 to 16.</param>
/// <param name="slots">The slots, 1 to 1024.</param>
/// <param name="port">The UDP port.</param>
public sealed class AllReduce(
    MacAddress mac, IPv4Address address, int workers = 4, int slots = 64, ushort port = 48879) : Service
{
    private const int Numbers = 16, HeaderLength = 4, PayloadLength = HeaderLength + Numbers * sizeof(uint);

    private static readonly IPv4Address s_group = IPv4Address.Parse("239.1.1.1");
    private static readonly MacAddress s_groupMac = MacAddress.Parse("01:00:5e:01:01:01");

    private struct Slot
    {
        /// <summary>A bit for each worker that has contributed and not yet gone on to the other version.</summary>
        public ushort Seen;

        /// <summary>Contributions that are in the sum; 0 when it is complete.</summary>
        public byte Count;
    }

    private readonly Slot[] _slots = new Slot[2 * slots];
    private readonly uint[] _sums = new uint[2 * slots * Numbers];

    /// <summary>Contributions that were added.</summary>
    public Counter Added { get; } = new();

    /// <summary>Sums sent to all workers.</summary>
    public Counter Completed { get; } = new();

    /// <summary>Contributions that came again.</summary>
    public Counter Repeated { get; } = new();

    /// <summary>Frames dropped that are no contributions.</summary>
    public Counter Ignored { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.Destination != mac || ethernet.Source.IsGroup || ethernet.EtherType != EtherType.IPv4
            || !IPv4.TryParse(ethernet.Payload, out var ip) || !ip.HasValidHeaderChecksum || ip.IsFragment
            || ip.Destination != address || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort != port || udp.Payload.Length != PayloadLength || !udp.HasValidChecksum(ip))
        {
            Ignored.Increment();
            return;
        }
        var message = udp.Payload;
        int number = message.GetUInt16(0), version = message[2], worker = message[3];
        if (number >= slots || version > 1 || worker >= workers)
        {
            Ignored.Increment();
            return;
        }
        var (own, other) = (2 * number + version, 2 * number + (1 - version));
        var bit = (ushort)(1 << worker);
        ref var slot = ref _slots[own];
        var sums = _sums.AsSpan(own * Numbers, Numbers);
        var numbers = message[HeaderLength..];
        var isNew = (slot.Seen & bit) == 0;
        if (isNew)
        {
            Add(sums, numbers, isFirst: slot.Count == 0);
            slot.Seen |= bit;
            slot.Count = (byte)((slot.Count + 1) % workers);
            _slots[other].Seen &= (ushort)~bit;
            Added.Increment();
        }
        else
        {
            Repeated.Increment();
        }
        if (slot.Count != 0) return;

        for (var i = 0; i < Numbers; i++) numbers.SetUInt32(i * sizeof(uint), sums[i]);
        ethernet.Destination = isNew ? s_groupMac : ethernet.Source;
        ethernet.Source = mac;
        ip.Destination = isNew ? s_group : ip.Source;
        ip.Source = address;
        ip.Ttl = IPv4.DefaultTtl;
        ip.WriteHeaderChecksum();
        udp.DestinationPort = isNew ? port : udp.SourcePort;
        udp.SourcePort = port;
        udp.WriteChecksum(ip);
        if (!isNew)
        {
            frame.Reply();
            return;
        }
        frame.Send(frame.Ports);
        Completed.Increment();
    }

    private static void Add(Span<uint> sums, Span<byte> numbers, bool isFirst)
    {
        for (var i = 0; i < sums.Length; i++)
        {
            var number = numbers.GetUInt32(i * sizeof(uint));
            sums[i] = isFirst ? number : sums[i] + number;
        }
    }
}
