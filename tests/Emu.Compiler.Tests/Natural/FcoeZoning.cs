using System.Buffers.Binary;
using System.Globalization;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Enforces the zones of a storage network in front of a Fibre Channel forwarder: FCoE frames pass if their addresses
/// belong together (FC-BB-5 §7, annex D), and if initiator and target are in one zone (FC-GS-6 §6.4, hard zoning).
/// </summary>
/// <remarks>
/// <para>Port 0 has the end nodes, port 1 the forwarder. A node's virtual port has the MAC address that the fabric gave
/// it
/// (FPMA): the FC-MAP and the 24 bits of its Fibre Channel address. So a node that takes another's address is seen at
/// once. FIP, by which nodes log in, and all that is not storage pass.</para>
/// <para>Frames are of class 3. Their CRC is the receiver's matter. Tagged or not, since storage mostly has a VLAN of
/// its own.
/// The frames of 2,112 bytes of data need an MTU of 2,500.</para>
/// </remarks>
/// <example>--zone 010001-020001 --zone 010002-020001</example>
/// <param name="zone">Two addresses in hexadecimal that may talk to each other, with a hyphen between them.</param>
/// <param name="fcMap">The upper 24 bits of MAC addresses that the fabric gives.</param>
public sealed class FcoeZoning(string[] zone, uint fcMap = 0x0EFC00) : Service
{
    /// <summary>The two ends of a conversation.</summary>
    private readonly record struct Exchange(uint Source, uint Destination) : ITableKey<Exchange>
    {
        public static int Width => 48;

        public UInt128 KeyBits => (ulong)Source << 24 | Destination;
    }

    private const EtherType Fcoe = (EtherType)0x8906;

    /// <summary>Version and reserved bits, and the start of frame (FC-BB-5 §7.7).</summary>
    private const int SofOffset = 13, HeaderOffset = 14;

    /// <summary>Of the Fibre Channel header (FC-FS-3 §9).</summary>
    private const int DestinationOffset = HeaderOffset + 1, SourceOffset = HeaderOffset + 5, FcHeaderLength = 24;

    /// <summary>The CRC (4 bytes), the end of frame, and three reserved bytes.</summary>
    private const int TrailerLength = 8, EofFromEnd = 4;

    private const byte SofInitiate3 = 0x2E, SofNormal3 = 0x36;
    private const byte EofNormal = 0x41, EofTerminate = 0x42;

    private const uint AddressMask = 0xFF_FFFF;

    /// <summary>From here on addresses are well-known: the fabric's own services (FC-FS-3 table 34).</summary>
    private const uint FirstWellKnown = 0xFF_FFF0;

    private static readonly PortId s_nodes = new(0), s_forwarder = new(1);

    private readonly ConstantTable<Exchange, bool> _zones = new(Parse(zone));

    /// <summary>Storage frames that passed.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Storage frames dropped: wrong lengths, delimiters or version.</summary>
    public Counter Malformed { get; } = new();

    /// <summary>Storage frames dropped: a MAC address is not that of the Fibre Channel address.</summary>
    public Counter Spoofed { get; } = new();

    /// <summary>Storage frames dropped: both ends are in no zone together.</summary>
    public Counter OutOfZone { get; } = new();

    /// <summary>All other frames.</summary>
    public Counter Others { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var isFromNode = frame.Ingress == s_nodes;
        var egress = isFromNode ? s_forwarder : s_nodes;
        var ethernet = new Ethernet(frame);
        if (!TryFcoe(ethernet, out var fcoe))
        {
            Others.Increment();
            frame.ForwardTo(egress);
            return;
        }
        if (!IsWellFormed(fcoe))
        {
            Malformed.Increment();
            return;
        }

        var destination = BinaryPrimitives.ReadUInt32BigEndian(fcoe[(DestinationOffset - 1)..]) & AddressMask;
        var source = BinaryPrimitives.ReadUInt32BigEndian(fcoe[(SourceOffset - 1)..]) & AddressMask;
        // The forwarder's own end has its own MAC address; only the node's is given by the fabric.
        if (isFromNode ? ethernet.Source != MacOf(source) : ethernet.Destination != MacOf(destination))
        {
            Spoofed.Increment();
            return;
        }
        if (destination < FirstWellKnown && source < FirstWellKnown
            && !_zones.TryGet(new Exchange(source, destination), out _))
        {
            OutOfZone.Increment();
            return;
        }
        Passed.Increment();
        frame.ForwardTo(egress);
    }

    private static bool TryFcoe(Ethernet ethernet, out Span<byte> fcoe)
    {
        fcoe = ethernet.Payload;
        if (ethernet.EtherType == Fcoe) return true;
        if (ethernet.EtherType != EtherType.CTag || !Vlan.TryParse(ethernet.Payload, out var tag)) return false;
        fcoe = tag.Payload;
        return tag.EtherType == Fcoe;
    }

    /// <summary>True if a whole Fibre Channel frame of class 3 lies between its delimiters.</summary>
    private static bool IsWellFormed(ReadOnlySpan<byte> fcoe) =>
        fcoe.Length >= HeaderOffset + FcHeaderLength + TrailerLength
        && (fcoe.Length - HeaderOffset) % 4 == 0
        && fcoe[0] >> 4 == 0
        && fcoe[SofOffset] is SofInitiate3 or SofNormal3
        && fcoe[^EofFromEnd] is EofNormal or EofTerminate;

    private MacAddress MacOf(uint address) => new((ulong)fcMap << 24 | address);

    private static Dictionary<Exchange, bool> Parse(string[] zones)
    {
        var exchanges = new Dictionary<Exchange, bool>();
        foreach (var text in zones)
        {
            if (text.Split('-') is not [var left, var right]
                || !TryAddress(left, out var a) || !TryAddress(right, out var b))
                throw new FormatException($"'{text}' is no zone such as 010001-020001");
            exchanges[new Exchange(a, b)] = true;
            exchanges[new Exchange(b, a)] = true;
        }
        return exchanges;
    }

    private static bool TryAddress(string text, out uint address) =>
        uint.TryParse(text, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out address)
        && address is > 0 and < FirstWellKnown;
}
