using System.Collections.Immutable;
using System.Text;

namespace Emu.Testing;

/// <summary>
/// A frame written down header by header, from the outside in: <c>Packet.Ethernet(a, b).IPv4(x, y).Udp(1000,
/// 53).Payload("?")</c>. Lengths, checksums and the numbers that name the next header are filled in unless they are
/// given, so that wrong ones can be made too. Immutable.
/// </summary>
/// <remarks>
/// It shares no code with Emu's own header views, so that a test does not check them with themselves.
/// </remarks>
public sealed partial class Packet
{
    private readonly ImmutableArray<PacketLayer> _layers;
    private readonly int _minimumLength;

    private Packet(ImmutableArray<PacketLayer> layers, int minimumLength)
    {
        _layers = layers;
        _minimumLength = minimumLength;
    }

    /// <summary>Begins with an Ethernet header (IEEE 802.3-2018 §3.2).</summary>
    /// <param name="source">The station that sends.</param>
    /// <param name="destination">The station or group that it is for.</param>
    /// <param name="type">
    /// The EtherType or length; that of the next header when left out, 0x88B5 in front of bare payload.
    /// </param>
    public static Packet Ethernet(MacAddress source, MacAddress destination, ushort? type = null) => new(
        [new PacketLayer(c => [
            .. PacketBytes.Of(destination),
            .. PacketBytes.Of(source),
            .. PacketBytes.Of(type ?? c.EtherType),
            .. c.Content,
        ])],
        0);

    /// <summary>
    /// Begins with a header other than Ethernet, for what is carried in a tunnel or quoted in an error.
    /// </summary>
    public static Packet Bare => new([], 0);

    /// <summary>The frame, without FCS.</summary>
    public static implicit operator byte[](Packet packet) => packet.ToArray();

    /// <summary>The frame, without FCS, for methods that only read it.</summary>
    public static implicit operator ReadOnlySpan<byte>(Packet packet) => packet.ToArray();

    /// <summary>A tag (IEEE 802.1Q-2018 §9.6).</summary>
    /// <param name="id">The VLAN identifier, 0 to 4095.</param>
    /// <param name="priority">The priority code point, 0 to 7.</param>
    /// <param name="dropEligible">The drop eligible indicator.</param>
    /// <param name="tagType">The EtherType in front that announces it: 0x88A8 for a service tag.</param>
    /// <param name="type">The EtherType that follows; that of the next header when left out.</param>
    public Packet Vlan(
        ushort id, byte priority = 0, bool dropEligible = false, ushort tagType = VlanTag.Customer,
        ushort? type = null) =>
        With(new PacketLayer(
            c => [
                .. PacketBytes.Of((ushort)(priority << 13 | (dropEligible ? 0x1000 : 0) | id)),
                .. PacketBytes.Of(type ?? c.EtherType),
                .. c.Content,
            ],
            etherType: tagType));

    /// <summary>Bytes as they are.</summary>
    public Packet Payload(params byte[] bytes) => With(new PacketLayer(c => [.. bytes, .. c.Content]));

    /// <summary>Text in UTF-8.</summary>
    public Packet Payload(string text) => Payload(Encoding.UTF8.GetBytes(text));

    /// <summary>Bytes of 0 behind everything, up to a length; they belong to no header.</summary>
    /// <param name="length">Of the frame without FCS: 60 for the least that Ethernet carries.</param>
    public Packet PaddedTo(int length) => new(_layers, length);

    /// <summary>The frame, without FCS, in an array of its own.</summary>
    public byte[] ToArray()
    {
        byte[] bytes = [];
        for (var i = _layers.Length - 1; i >= 0; i--)
        {
            var inner = i + 1 < _layers.Length ? _layers[i + 1] : null;
            var ip = _layers[..i].LastOrDefault(layer => layer.PseudoHeader is not null);
            bytes = _layers[i].Build(new LayerContext(bytes, inner, ip));
        }
        return [.. bytes, .. new byte[Math.Max(0, _minimumLength - bytes.Length)]];
    }

    private Packet With(PacketLayer layer) => new(_layers.Add(layer), _minimumLength);
}
