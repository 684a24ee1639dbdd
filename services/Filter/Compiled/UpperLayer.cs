using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Services;

/// <summary>The upper layer of an IPv6 packet, behind its extension headers (RFC 8200 §4).</summary>
internal ref struct UpperLayer
{
    private const int Unit = 8;
    private const int AuthenticationUnit = 4;
    private const int FragmentOffsetShift = 3;
    private const int MoreFragmentsMask = 1;

    /// <summary>Walks the extension headers. Every step takes 8 bytes at least.</summary>
    public UpperLayer(IPv6 ip)
    {
        Protocol = ip.NextHeader;
        Payload = ip.Payload;
        while (IsExtension(Protocol) && FragmentOffset == 0 && !IsMalformed)
        {
            var length = Payload.Length < Unit ? Unit : HeaderLength(Protocol, Payload[1]);
            if (length > Payload.Length) IsMalformed = true;
            else
            {
                if (Protocol == IPProtocol.Fragment)
                {
                    var field = BinaryPrimitives.ReadUInt16BigEndian(Payload[2..]);
                    (FragmentOffset, MoreFragments) =
                        ((ushort)(field >> FragmentOffsetShift), (field & MoreFragmentsMask) != 0);
                }
                Protocol = (IPProtocol)Payload[0];
                Payload = Payload[length..];
            }
        }
        // Behind the header of a later fragment there is nothing to walk through.
        if (IsExtension(Protocol)) IsMalformed = true;
    }

    public IPProtocol Protocol { get; private set; }

    public Span<byte> Payload { get; private set; }

    /// <summary>In units of 8 bytes; 0 too if there is no fragment header.</summary>
    public ushort FragmentOffset { get; private set; }

    /// <summary>True if further fragments follow, so that the payload is not whole.</summary>
    public bool MoreFragments { get; private set; }

    /// <summary>
    /// True if a header does not fit, or a later fragment begins with one, so that nobody knows what it is.
    /// </summary>
    public bool IsMalformed { get; private set; }

    private static bool IsExtension(IPProtocol header) =>
        header is IPProtocol.HopByHopOptions or IPProtocol.Routing or IPProtocol.Fragment
            or IPProtocol.AuthenticationHeader or IPProtocol.DestinationOptions;

    /// <summary>
    /// The bytes of a header: 8 for fragments; the others count what is behind the first 8,
    /// AH in words of 4 (RFC 4302 §2.2).
    /// </summary>
    private static int HeaderLength(IPProtocol header, byte length) => header switch
    {
        IPProtocol.Fragment => Unit,
        IPProtocol.AuthenticationHeader => Unit + length * AuthenticationUnit,
        _ => Unit + length * Unit,
    };
}
