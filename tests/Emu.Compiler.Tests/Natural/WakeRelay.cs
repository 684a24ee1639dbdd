using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Relays magic packets (AMD publication 20213 "Magic Packet Technology", 1995) from the office's management network at
/// port 0 into a list of VLANs (IEEE 802.1Q §9.6) of the trunk at port 1, for routers forward no directed broadcasts
/// any more (RFC 2644). Each VLAN gets a broadcast of its own; what it wakes, and how often, is limited.
/// </summary>
/// <param name="vlans">The VLANs, each 1 to 4094.</param>
/// <param name="wakesPerSecond">Magic packets for all.</param>
public sealed class WakeRelay(int[] vlans, int wakesPerSecond = 100) : Service
{
    private const EtherType WakeOnLan = (EtherType)0x0842;
    private const int Repetitions = 16;
    private const int SyncLength = 6;
    private const int MagicLength = SyncLength + Repetitions * MacAddress.Length;
    private const int PasswordLength = 6;

    private static readonly PortId s_management = new(0);
    private static readonly PortSet s_trunk = PortSet.Of(new PortId(1));

    private readonly TokenBuckets _bucket = new(1, wakesPerSecond, burst: 10);
    private readonly ushort[] _vlans = [.. vlans.Select(v => (ushort)v)];

    /// <summary>Magic packets that were relayed.</summary>
    public Counter Relayed { get; } = new();

    /// <summary>Frames that were sent for them.</summary>
    public Counter Sent { get; } = new();

    /// <summary>Datagrams for the ports of wake-ups without a magic packet in them.</summary>
    public Counter NotMagic { get; } = new();

    /// <summary>Magic packets dropped: too many, or for a group address.</summary>
    public Counter Refused { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress != s_management) return;
        var ethernet = new Ethernet(frame);
        if (!TryFindPayload(ethernet, out var payload)) return;
        var place = FindMagic(payload);
        if (place < 0)
        {
            NotMagic.Increment();
            return;
        }
        var target = payload.GetMacAddress(place + SyncLength);
        if (target.IsGroup || !_bucket.TryTake(0, 1, frame.Time))
        {
            Refused.Increment();
            return;
        }
        var password = payload[(place + MagicLength)..];
        var hasPassword = password.Length >= PasswordLength;
        var secret = hasPassword ? password.GetMacAddress(0) : default;
        var source = ethernet.Source;
        Write(ref frame, source, target, hasPassword, secret);
        Relayed.Increment();
        foreach (var vlan in _vlans)
        {
            frame.Bytes.SetUInt16(Ethernet.HeaderLength, vlan);
            frame.Send(s_trunk);
            Sent.Increment();
        }
    }

    private static bool TryFindPayload(Ethernet ethernet, out Span<byte> payload)
    {
        payload = ethernet.Payload;
        if (ethernet.EtherType == WakeOnLan) return true;
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort is not (0 or 7 or 9))
        {
            return false;
        }
        payload = udp.Payload;
        return true;
    }

    /// <summary>The place of the six bytes of ones that sixteen times the address follows; -1 for none.</summary>
    private static int FindMagic(Span<byte> payload)
    {
        for (var place = 0; place + MagicLength <= payload.Length; place++)
        {
            if (IsMagic(payload.Slice(place, MagicLength))) return place;
        }
        return -1;
    }

    private static bool IsMagic(Span<byte> bytes)
    {
        if (!bytes.GetMacAddress(0).IsBroadcast) return false;
        var address = bytes.GetMacAddress(SyncLength);
        for (var i = 1; i < Repetitions; i++)
        {
            if (bytes.GetMacAddress(SyncLength + i * MacAddress.Length) != address) return false;
        }
        return true;
    }

    private static void Write(
        ref Frame frame, MacAddress source, MacAddress target, bool hasPassword, MacAddress secret)
    {
        const int Headers = Ethernet.HeaderLength + Vlan.HeaderLength;
        frame.Resize(Headers + MagicLength + (hasPassword ? PasswordLength : 0));
        var ethernet = new Ethernet(frame)
        {
            Destination = MacAddress.Broadcast,
            Source = source,
            EtherType = EtherType.CTag,
        };
        ethernet.Payload.SetUInt16(2, (ushort)WakeOnLan);
        var magic = frame.Bytes[Headers..];
        magic.SetMacAddress(0, MacAddress.Broadcast);
        for (var i = 0; i < Repetitions; i++) magic.SetMacAddress(SyncLength + i * MacAddress.Length, target);
        if (hasPassword) magic.SetMacAddress(MagicLength, secret);
    }
}
