using System.Globalization;
using System.Text;

namespace Emu.Protocols;

/// <summary>
/// One walk over the layers of a frame that makes both forms of <see cref="PacketText"/>.
/// This part is of the link layer.
/// </summary>
internal sealed partial class Dissection
{
    private readonly List<(string Name, string Value)> _fields = [];
    private readonly StringBuilder _line = new();

    public Dissection(ReadOnlySpan<byte> frame)
    {
        // Views can write, so they need memory of their own.
        LinkLayer(frame.ToArray());
        _line.Append($", {frame.Length} bytes");
    }

    public string Line => _line.ToString();

    public IReadOnlyList<(string Name, string Value)> Fields => _fields;

    private void LinkLayer(Span<byte> frame)
    {
        if (!Ethernet.TryParse(frame, out var ethernet))
        {
            Malformed("eth", "Ethernet", frame);
            return;
        }

        _line.Append($"{ethernet.Source} > {ethernet.Destination}");
        Add("eth.dst", ethernet.Destination);
        Add("eth.src", ethernet.Source);
        if (ethernet.IsLength) Add("eth.len", ethernet.Length);
        else AddHex("eth.type", (uint)ethernet.EtherType, 4);
        Tagged(ethernet.EtherType, ethernet.Payload);
    }

    /// <summary>Describes the bytes that follow a length/type field, as it announces them.</summary>
    private void Tagged(EtherType type, Span<byte> bytes)
    {
        while (type is EtherType.CTag or EtherType.STag)
        {
            if (!Vlan.TryParse(bytes, out var tag))
            {
                Malformed("vlan", "VLAN", bytes);
                return;
            }
            VlanTag(type, tag);
            type = tag.EtherType;
            bytes = tag.Payload;
        }

        if (type == EtherType.Arp) ArpPacket(bytes);
        else if (type == EtherType.IPv4) IPv4Packet(bytes);
        else if (type == EtherType.IPv6) IPv6Packet(bytes);
        else if ((ushort)type <= Ethernet.MaxLength) LlcHeader(bytes, (ushort)type);
        else
        {
            _line.Append($", EtherType 0x{(ushort)type:x4}");
            Payload("data.data", bytes);
        }
    }

    private void VlanTag(EtherType tpid, in Vlan tag)
    {
        var name = tpid == EtherType.STag ? "ieee8021ad" : "vlan";
        _line.Append($", VLAN {tag.Vid}");
        Add(name + ".priority", tag.Pcp);
        Add(name + ".dei", tag.Dei);
        Add(name + ".id", tag.Vid);
        if (tag.IsLength) Add(name + ".len", tag.Length);
        else AddHex(name + ".etype", (uint)tag.EtherType, 4);
    }

    private void LlcHeader(Span<byte> bytes, int length)
    {
        if (!Llc.TryParse(bytes, length, out var llc))
        {
            Malformed("llc", "LLC", bytes);
            return;
        }
        _line.Append($", LLC DSAP 0x{llc.Dsap:x2} SSAP 0x{llc.Ssap:x2}");
        AddHex("llc.dsap", llc.Dsap, 2);
        AddHex("llc.ssap", llc.Ssap, 2);
        AddHex("llc.control", llc.Control, 2);
        Payload("data.data", llc.Payload);
    }

    private void ArpPacket(Span<byte> bytes)
    {
        if (!Arp.TryParse(bytes, out var arp))
        {
            Malformed("arp", "ARP", bytes);
            return;
        }

        _line.Append(arp.Operation switch
        {
            ArpOperation.Request => $", ARP who-has {arp.TargetProtocolAddress} tell {arp.SenderProtocolAddress}",
            ArpOperation.Reply => $", ARP {arp.SenderProtocolAddress} is-at {arp.SenderHardwareAddress}",
            _ => $", ARP operation {(ushort)arp.Operation}",
        });
        Add("arp.opcode", (ushort)arp.Operation);
        Add("arp.src.hw_mac", arp.SenderHardwareAddress);
        Add("arp.src.proto_ipv4", arp.SenderProtocolAddress);
        Add("arp.dst.hw_mac", arp.TargetHardwareAddress);
        Add("arp.dst.proto_ipv4", arp.TargetProtocolAddress);
    }

    private void Malformed(string name, string title, Span<byte> bytes)
    {
        _line.Append($"{(_line.Length == 0 ? "" : ", ")}malformed {title}");
        _fields.Add(("_ws.malformed", name));
        Payload("data.data", bytes);
    }

    private void Payload(string name, Span<byte> bytes)
    {
        if (bytes.Length > 0) _fields.Add((name, Convert.ToHexStringLower(bytes)));
    }

    private void Add(string name, bool value) => _fields.Add((name, value ? "1" : "0"));

    private void Add<T>(string name, T value)
        where T : struct => _fields.Add((name, value.ToString() ?? ""));

    private void AddHex(string name, uint value, int digits) =>
        _fields.Add((name, "0x" + value.ToString("x" + digits, CultureInfo.InvariantCulture)));

    /// <summary>A checksum and its check, whose results are numbered as Wireshark does.</summary>
    private void AddChecksum(string name, ushort value, bool isValid, bool isPresent = true)
    {
        const int bad = 0;
        const int good = 1;
        const int notPresent = 3;
        AddHex(name, value, 4);
        Add(name + ".status", !isPresent ? notPresent : isValid ? good : bad);
        if (!isValid) _line.Append(" (bad checksum)");
    }
}
