using System.ComponentModel.DataAnnotations;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Lets one lighting console at a time control each universe of a stage or studio: of the sources of streaming ACN the
/// one with the highest priority passes, and another takes over when it ends or falls silent (ANSI E1.31-2018).
/// </summary>
/// <remarks>
/// Port 0 is the consoles' side, port 1 the fixtures'; what the fixtures send passes. Of sources with the same priority
/// the one that was first is kept: there is no merging. Preview data are not for fixtures (§6.2.6) and are dropped.
/// Synchronization and discovery packets, and all that is not sACN, pass.
/// </remarks>
/// <example>--first-universe 1 --universes 64</example>
/// <param name="firstUniverse">The number of the first universe that is arbitrated.</param>
/// <param name="universes">How many there are from it on; packets of others are dropped.</param>
/// <param name="leastPriority">Sources below this priority never pass, 0 to 200.</param>
public sealed class SacnArbiter(
    [Range(1, 63_999)] ushort firstUniverse = 1, [PowerOfTwo(2, 4096)] int universes = 64,
    [Range(0, 200)] byte leastPriority = 0) : Service
{
    private const ushort Port = 5568;
    // §6.7.1, E131_NETWORK_DATA_LOSS_TIMEOUT
    private const ulong DataLossTimeout = 2_500_000_000;
    private const int RootLength = 38, DataHeader = 126, MaxSlots = 512;
    private const uint RootData = 4, FramingData = 2;
    private const byte SetProperty = 2, AddressAndDataType = 0xA1, MaxPriority = 200;
    private const byte Preview = 0x80, Terminated = 0x40;
    private const int
        CidOffset = 22, FramingOffset = 38, PriorityOffset = 108, SequenceOffset = 111, OptionsOffset = 112,
        UniverseOffset = 113, DmpOffset = 115, CountOffset = 123;

    private static readonly PortId s_consoles = new(0), s_fixtures = new(1);

    /// <summary>The source that has a universe.</summary>
    private struct Holder
    {
        public UInt128 Cid;
        public ulong LastTime;
        public byte Priority;
        public byte Sequence;
        public bool IsPresent;
    }

    private readonly Holder[] _holders = new Holder[universes];

    /// <summary>Packets of the source that has the universe.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Times that a universe got another source.</summary>
    public Counter Takeovers { get; } = new();

    /// <summary>Packets dropped: a source with a higher priority, or one that was first, has the universe.</summary>
    public Counter Outranked { get; } = new();

    /// <summary>Packets dropped: they were overtaken on their way.</summary>
    public Counter Late { get; } = new();

    /// <summary>Packets dropped: malformed, for preview, or of no universe here.</summary>
    public Counter Refused { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress != s_consoles)
        {
            frame.ForwardTo(s_consoles);
            return;
        }
        frame.ForwardTo(s_fixtures);
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != Port)
            return;

        var packet = udp.Payload;
        if (!IsAcn(packet) || (packet.GetUInt32(18) == RootData && !IsData(packet))) Refuse(ref frame);
        else if (packet.GetUInt32(18) == RootData) Arbitrate(ref frame, packet, ip.Destination);
    }

    private void Refuse(ref Frame frame)
    {
        Refused.Increment();
        frame.Drop();
    }

    /// <summary>True if the packet has the root layer of ACN over UDP (§5), and ends where that says.</summary>
    private static bool IsAcn(Span<byte> packet) =>
        packet.Length >= RootLength
        && packet.GetUInt32(0) == 0x0010_0000                                    // the preamble's length, no postamble
        && packet.GetUInt64(4) == 0x4153_432D_4531_2E31 && packet.GetUInt32(12) == 0x3700_0000 // "ASC-E1.17"
        && HasLength(packet, 16);

    /// <summary>
    /// True if the framing and the DMP layer are those of a data packet (§6, §7), and all lengths agree.
    /// </summary>
    private static bool IsData(Span<byte> packet) =>
        packet.Length >= DataHeader && HasLength(packet, FramingOffset) && HasLength(packet, DmpOffset)
        && packet.GetUInt32(FramingOffset + 2) == FramingData
        && packet[DmpOffset + 2] == SetProperty && packet[DmpOffset + 3] == AddressAndDataType
        && packet.GetUInt16(DmpOffset + 4) == 0 && packet.GetUInt16(DmpOffset + 6) == 1
        && packet.GetUInt16(CountOffset) is >= 1 and <= MaxSlots + 1
        && packet.Length == DataHeader - 1 + packet.GetUInt16(CountOffset)
        && packet[PriorityOffset] <= MaxPriority;

    /// <summary>True if a layer's flags are 7 and its length is what the packet has from there.</summary>
    private static bool HasLength(Span<byte> packet, int offset) =>
        packet.GetUInt16(offset) == (0x7000 | packet.Length - offset);

    private void Arbitrate(ref Frame frame, Span<byte> packet, IPv4Address destination)
    {
        var universe = packet.GetUInt16(UniverseOffset);
        var index = universe - firstUniverse;
        var (options, priority, sequence) = (packet[OptionsOffset], packet[PriorityOffset], packet[SequenceOffset]);
        // The group is the universe's (§9.3.1); who sends to fixtures one by one may do so.
        var isToUniverse = !destination.IsMulticast || destination.Bits == (0xEFFF_0000 | universe);
        if (index < 0 || index >= universes || !isToUniverse || (options & Preview) != 0 || priority < leastPriority)
        {
            Refuse(ref frame);
            return;
        }
        var cid = (UInt128)packet.GetUInt64(CidOffset) << 64 | packet.GetUInt64(CidOffset + 8);
        ref var holder = ref _holders[index & (universes - 1)];
        var isHeld = holder.IsPresent && frame.Time - holder.LastTime < DataLossTimeout;
        if (isHeld && holder.Cid == cid)
        {
            // §6.7.2: a number at most 20 behind is of a packet that was overtaken, any other begins anew.
            var ahead = (sbyte)(sequence - holder.Sequence);
            if (ahead is <= 0 and > -20)
            {
                Late.Increment();
                frame.Drop();
                return;
            }
        }
        else if (isHeld && priority <= holder.Priority)
        {
            Outranked.Increment();
            frame.Drop();
            return;
        }
        else Takeovers.Increment();

        // A source that ends leaves its universe to the next that comes (§6.2.6).
        holder = new Holder
        {
            Cid = cid,
            LastTime = frame.Time,
            Priority = priority,
            Sequence = sequence,
            IsPresent = (options & Terminated) == 0,
        };
        Passed.Increment();
    }
}
