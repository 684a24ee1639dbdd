using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// One router of a group of the Hot Standby Router Protocol (RFC 2281): it speaks on the hosts' side, takes part in the
/// election, and as the active router answers ARP for the virtual address and passes on what hosts send to the virtual
/// MAC address.
/// </summary>
/// <param name="address">The router's own address.</param>
/// <param name="virtualAddress">The address that the group stands for.</param>
/// <param name="mac">The router's own MAC address.</param>
/// <param name="group">The number of the group.</param>
/// <param name="priority">The highest becomes active.</param>
/// <param name="preempt">True to take over from an active router of lower priority.</param>
/// <param name="helloMilliseconds">The time between two Hellos.</param>
/// <param name="holdMilliseconds">The time behind which a router that is silent is gone.</param>
public sealed class HsrpRouter(
    IPv4Address address, IPv4Address virtualAddress, MacAddress mac, byte group = 0, byte priority = 100,
    bool preempt = false, int helloMilliseconds = 3000, int holdMilliseconds = 10000) : Service
{
    private const ushort Port = 1985;
    private const int MessageOffset = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength;
    private const int MessageLength = 20;
    private const ulong Authentication = 0x636973636F000000; // "cisco"
    private const ulong NanosecondsPerMillisecond = 1_000_000;
    private const byte Hello = 0, Coup = 1, Resign = 2;
    private const byte Listen = 2, Speak = 4, Standby = 8, Active = 16;

    private static readonly PortId s_hosts = new(0);
    private static readonly PortId s_uplink = new(1);
    private static readonly IPv4Address s_routers = new(0xE0000002);
    private static readonly MacAddress s_routersMac = new(0x0100_5E00_0002);

    private readonly MacAddress _virtualMac = new(0x0000_0C07_AC00 | (ulong)group);
    private readonly ArpResponder _arp = new(virtualAddress, new MacAddress(0x0000_0C07_AC00 | (ulong)group));
    private byte _state = Listen;
    private bool _isStarted;
    private ulong _activeUntil, _standbyUntil;

    /// <inheritdoc/>
    public override ulong TickInterval => (ulong)helloMilliseconds * NanosecondsPerMillisecond;

    /// <summary>Messages of other routers of the group.</summary>
    public Counter Heard { get; } = new();

    /// <summary>Messages with a wrong password, group or format.</summary>
    public Counter Ignored { get; } = new();

    /// <summary>Hellos sent.</summary>
    public Counter Sent { get; } = new();

    /// <summary>Times that this router became active.</summary>
    public Counter Takeovers { get; } = new();

    /// <summary>ARP requests answered.</summary>
    public Counter ArpReplies { get; } = new();

    /// <summary>Packets passed on for the hosts.</summary>
    public Counter Routed { get; } = new();

    private ulong Hold => (ulong)holdMilliseconds * NanosecondsPerMillisecond;

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_uplink)
        {
            frame.ForwardTo(s_hosts);
            return;
        }
        if (frame.Ingress != s_hosts) return;

        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.Arp && Arp.TryParse(ethernet.Payload, out var arp))
        {
            if (_state != Active || !ArpResponder.IsValid(arp) || !_arp.IsForUs(arp)) return;
            ArpReplies.Increment();
            _arp.Answer(ref frame, arp);
            return;
        }
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (ip.Destination == s_routers)
        {
            if (ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp) && udp.DestinationPort == Port)
                Hear(udp.Payload, ip.Source, frame.Time);
            return;
        }
        if (_state == Active && ethernet.Destination == _virtualMac && ip.Ttl > 1)
        {
            ip.DecrementTtl();
            ethernet.Source = mac;
            frame.ForwardTo(s_uplink);
            Routed.Increment();
        }
    }

    /// <inheritdoc/>
    public override void Tick(ref Frame frame)
    {
        if (!_isStarted)
        {
            _isStarted = true;
            _activeUntil = _standbyUntil = frame.Time + Hold;
        }
        switch (_state)
        {
            case Listen when frame.Time >= _activeUntil || frame.Time >= _standbyUntil:
                _state = Speak;
                _standbyUntil = frame.Time + Hold;
                break;
            case Speak when frame.Time >= _standbyUntil:
                _state = Standby;
                break;
            case Standby when frame.Time >= _activeUntil:
                BecomeActive();
                break;
        }
        if (_state != Listen) SayHello(ref frame);
    }

    private void Hear(Span<byte> message, IPv4Address source, ulong now)
    {
        if (message.Length < MessageLength || message[0] != 0 || message[6] != group
            || message.GetUInt64(8) != Authentication || message.GetIPv4Address(16) != virtualAddress)
        {
            Ignored.Increment();
            return;
        }
        Heard.Increment();
        var (operation, state) = (message[1], message[2]);
        var hold = message[4] == 0 ? Hold : (ulong)message[4] * 1000 * NanosecondsPerMillisecond;
        var isHigher = message[5] > priority || (message[5] == priority && source.Bits > address.Bits);

        if (operation == Resign)
        {
            if (state == Active) _activeUntil = now;
            if (_state == Standby) BecomeActive();
        }
        else if (operation == Coup)
        {
            if (_state == Active && isHigher) _state = Speak;
        }
        else if (state == Active)
        {
            if (isHigher)
            {
                _activeUntil = now + hold;
                if (_state == Active) _state = Speak;
            }
            else if (_state != Active)
            {
                if (preempt) BecomeActive();
                else _activeUntil = now + hold;
            }
        }
        else if (state is Standby or Speak && isHigher && _state is Standby or Speak)
        {
            _state = Listen;
            _standbyUntil = now + hold;
        }
        else if (state == Standby && _state == Listen)
        {
            _standbyUntil = now + hold;
        }
    }

    private void BecomeActive()
    {
        _state = Active;
        Takeovers.Increment();
    }

    private void SayHello(ref Frame frame)
    {
        frame.Resize(MessageOffset + MessageLength);
        var ethernet = new Ethernet(frame);
        ethernet.Destination = s_routersMac;
        ethernet.Source = _state == Active ? _virtualMac : mac;
        ethernet.EtherType = EtherType.IPv4;
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        ip.Dscp = 48;
        ip.Ttl = 1;
        ip.Protocol = IPProtocol.Udp;
        ip.Source = address;
        ip.Destination = s_routers;
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        udp.SourcePort = Port;
        udp.DestinationPort = Port;
        var message = udp.Payload;
        message[1] = Hello;
        message[2] = _state;
        message[3] = (byte)(helloMilliseconds / 1000);
        message[4] = (byte)(holdMilliseconds / 1000);
        message[5] = priority;
        message[6] = group;
        message.SetUInt64(8, Authentication);
        message.SetIPv4Address(16, virtualAddress);
        udp.WriteChecksum(ip);
        frame.Send(PortSet.Of(s_hosts));
        Sent.Increment();
    }
}
