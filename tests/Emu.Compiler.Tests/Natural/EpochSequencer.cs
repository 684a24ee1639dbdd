using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// The sequencer of a multi-sequenced groupcast: gives each transaction a number in every group that it is for, all at
/// once, and sends it to the members (Li, Michael and Ports 2017, <em>Eris: Coordination-Free Consistent Transactions
/// Using In-Network Concurrency Control</em>, §5).
/// </summary>
/// <remarks>
/// <para>A transaction is a UDP datagram. It begins with the epoch (4 bytes), the number of stamps (2) and 2 reserved
/// bytes; of each stamp there are the group (4) and its sequence number (8). A client leaves epoch and numbers
/// 0.</para>
/// <para>A replica that sees a gap knows that it has lost a transaction; so nothing is numbered that is not sent. When
/// another sequencer takes over it is given a greater epoch, and begins at 1 again.</para>
/// <para>Not done: IPv6; the failover itself.</para>
/// </remarks>
/// <example>--group 1 --group 2 --group 1,2</example>
/// <param name="group">The ports of the members of each group, the first of which is group 0; 1 to 64 groups.</param>
/// <param name="port">The UDP port of transactions.</param>
/// <param name="epoch">The number of this sequencer's reign, from 1.</param>
public sealed class EpochSequencer(PortSet[] group, ushort port = 9000, uint epoch = 1) : Service
{
    private const int HeaderLength = 8;
    private const int CountOffset = 4;
    private const int StampLength = 12;
    private const int SequenceOffset = 4;

    /// <summary>Transactions that are for more shards are split by their client.</summary>
    private const int MaxStamps = 16;

    private const int MaxGroups = 64;

    private readonly PortSet[] _members = group.Length is >= 1 and <= MaxGroups
        ? [.. group]
        : throw new ArgumentException($"there are 1 to {MaxGroups} groups", nameof(group));

    private readonly uint _epoch = epoch > 0
        ? epoch
        : throw new ArgumentOutOfRangeException(nameof(epoch), epoch, "0 is for what has not been numbered");

    /// <summary>The last number of each group.</summary>
    private readonly ulong[] _last = new ulong[MaxGroups];

    /// <summary>Transactions that were numbered.</summary>
    public Counter Sequenced { get; } = new();

    /// <summary>Transactions dropped: wrong lengths or checksums, groups that are not there or named twice.</summary>
    public Counter Malformed { get; } = new();

    /// <summary>Transactions dropped: a sequencer has numbered them before.</summary>
    public Counter AlreadySequenced { get; } = new();

    /// <summary>All other frames, which are flooded.</summary>
    public Counter Others { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != port)
        {
            Others.Increment();
            frame.Flood();
            return;
        }

        // The checksum is written anew below: without this check a damaged transaction would look right.
        var transaction = udp.Payload;
        if (!ip.HasValidHeaderChecksum || !udp.HasValidChecksum(ip) || !IsWellFormed(transaction, out var count))
        {
            Malformed.Increment();
            return;
        }
        if (BinaryPrimitives.ReadUInt32BigEndian(transaction) != 0)
        {
            AlreadySequenced.Increment();
            return;
        }

        BinaryPrimitives.WriteUInt32BigEndian(transaction, _epoch);
        frame.ForwardTo(Stamp(transaction, count));
        udp.WriteChecksum(ip);
        Sequenced.Increment();
    }

    /// <summary>
    /// True if all stamps are there, each for another group. No number is given before that is known.
    /// </summary>
    private bool IsWellFormed(ReadOnlySpan<byte> transaction, out int count)
    {
        count = 0;
        if (transaction.Length < HeaderLength) return false;
        count = BinaryPrimitives.ReadUInt16BigEndian(transaction[CountOffset..]);
        if (count is 0 or > MaxStamps || transaction.Length < HeaderLength + count * StampLength) return false;

        ulong seen = 0;
        for (var i = 0; i < count; i++)
        {
            var number = BinaryPrimitives.ReadUInt32BigEndian(transaction[(HeaderLength + i * StampLength)..]);
            if (number >= (uint)_members.Length || (seen >> (int)number & 1) != 0) return false;
            seen |= 1UL << (int)number;
        }
        return true;
    }

    /// <summary>Fills in the sequence numbers.</summary>
    /// <returns>The ports of all members.</returns>
    private PortSet Stamp(Span<byte> transaction, int count)
    {
        var members = PortSet.None;
        for (var i = 0; i < count; i++)
        {
            var stamp = transaction.Slice(HeaderLength + i * StampLength, StampLength);
            var number = (int)BinaryPrimitives.ReadUInt32BigEndian(stamp);
            BinaryPrimitives.WriteUInt64BigEndian(stamp[SequenceOffset..], ++_last[number]);
            members |= _members[number];
        }
        return members;
    }
}
