using System.Text;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Answers the searches of control points for a device: one answer for each thing that it is, or for the one that is
/// looked for (UPnP Device Architecture 2.0 §1.3.2 and §1.3.3, SSDP).
/// </summary>
/// <param name="address">The address of the device.</param>
/// <param name="mac">Its MAC address.</param>
/// <param name="uuid">Its name, as in <c>uuid:2fac1234-31f8-11b4-a222-08002b34c003</c>.</param>
/// <param name="types">What it is, and the services that it has.</param>
public sealed class SsdpResponder(IPv4Address address, MacAddress mac, string uuid, string[] types) : Service
{
    private const ushort Port = 1900;
    private const byte Hops = 2;
    private const int Headers = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength;

    private static readonly IPv4Address s_group = IPv4Address.Parse("239.255.255.250");

    /// <summary>The control point that has asked.</summary>
    private readonly record struct Asker(MacAddress Mac, IPv4Address Address, ushort Port);

    private readonly byte[][] _targets = [.. Targets(uuid, types).Select(Encoding.ASCII.GetBytes)];
    private readonly byte[][] _answers =
        [.. Targets(uuid, types).Select(target => Encoding.ASCII.GetBytes(Answer(address, uuid, target)))];

    /// <summary>Searches that were answered.</summary>
    public Counter Searches { get; } = new();

    /// <summary>Answers.</summary>
    public Counter Answers { get; } = new();

    /// <summary>Searches for what this device is not.</summary>
    public Counter Others { get; } = new();

    /// <summary>Announcements of other devices.</summary>
    public Counter Announcements { get; } = new();

    /// <summary>Datagrams that are no search.</summary>
    public Counter Malformed { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (ip.Protocol != IPProtocol.Udp || ip.IsFragment || !ip.Source.CanBeSource) return;
        var isToGroup = ip.Destination == s_group;
        if (!isToGroup && (ip.Destination != address || ethernet.Destination != mac)) return;
        if (!Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != Port || !udp.HasValidChecksum(ip)) return;
        if (udp.Payload.StartsWith("NOTIFY "u8))
        {
            Announcements.Increment();
            return;
        }
        if (!TryReadSearch(udp.Payload, isToGroup, out var target))
        {
            Malformed.Increment();
            return;
        }

        var isForAll = target.SequenceEqual("ssdp:all"u8);
        var wanted = 0u;
        for (var i = 0; i < _targets.Length; i++)
            if (isForAll || target.SequenceEqual(_targets[i])) wanted |= 1u << i;
        if (wanted == 0)
        {
            Others.Increment();
            return;
        }

        Searches.Increment();
        var asker = new Asker(ethernet.Source, ip.Source, udp.SourcePort);
        for (var i = 0; i < _answers.Length; i++)
        {
            if ((wanted >> i & 1) == 0) continue;
            WriteAnswer(ref frame, asker, _answers[i]);
            frame.Send(PortSet.Of(frame.Ingress));
            Answers.Increment();
        }
    }

    private static bool TryReadSearch(ReadOnlySpan<byte> text, bool isToGroup, out ReadOnlySpan<byte> target)
    {
        target = default;
        var first = "M-SEARCH * HTTP/1.1\r\n"u8;
        if (!text.StartsWith(first)) return false;
        text = text[first.Length..];
        var (isDiscovery, hasWait) = (false, false);
        while (true)
        {
            var end = text.IndexOf("\r\n"u8);
            if (end < 0) return false;
            if (end == 0) return isDiscovery && target.Length > 0 && (hasWait || !isToGroup);
            var line = text[..end];
            text = text[(end + 2)..];
            var colon = line.IndexOf((byte)':');
            if (colon <= 0) return false;
            var name = line[..colon];
            var value = line[(colon + 1)..].Trim((byte)' ');
            if (Ascii.EqualsIgnoreCase(name, "ST"u8)) target = value;
            else if (Ascii.EqualsIgnoreCase(name, "MAN"u8)) isDiscovery = value.SequenceEqual("\"ssdp:discover\""u8);
            else if (Ascii.EqualsIgnoreCase(name, "MX"u8))
                hasWait = value.Length == 1 && value[0] is >= (byte)'1' and <= (byte)'5';
        }
    }

    private void WriteAnswer(ref Frame frame, Asker asker, byte[] text)
    {
        frame.Resize(Headers + text.Length);
        var ethernet = new Ethernet(frame) { Destination = asker.Mac, Source = mac, EtherType = EtherType.IPv4 };
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        (ip.Ttl, ip.Protocol, ip.Source, ip.Destination) = (Hops, IPProtocol.Udp, address, asker.Address);
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        (udp.SourcePort, udp.DestinationPort) = (Port, asker.Port);
        text.CopyTo(udp.Payload);
        udp.WriteChecksum(ip);
    }

    private static string[] Targets(string uuid, string[] types) => ["upnp:rootdevice", uuid, .. types];

    private static string Answer(IPv4Address address, string uuid, string target) =>
        "HTTP/1.1 200 OK\r\nCACHE-CONTROL: max-age=1800\r\nEXT:\r\n"
        + $"LOCATION: http://{address}/device.xml\r\nSERVER: Emu/1.0 UPnP/2.0 Gateway/1.0\r\n"
        + $"ST: {target}\r\nUSN: {(target == uuid ? uuid : $"{uuid}::{target}")}\r\n"
        + "BOOTID.UPNP.ORG: 1\r\nCONFIGID.UPNP.ORG: 1\r\n\r\n";
}
