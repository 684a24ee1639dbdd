using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Sends what comes by port 0 over the line at port 1 while a session of bidirectional forwarding detection says that
/// it works, and over that at port 2 when not (RFC 5880 in asynchronous mode, RFC 5881 for one hop).
/// </summary>
/// <remarks>Not done: authentication, echo, demand mode.</remarks>
/// <param name="mac">The MAC address of this end of the line.</param>
/// <param name="address">The IPv4 address of this end.</param>
/// <param name="peer">The IPv4 address of the other end.</param>
/// <param name="peerMac">The MAC address of the other end.</param>
/// <param name="milliseconds">The interval at which this end wants to send, and can receive.</param>
/// <param name="multiplier">The intervals without a packet after which the line is down.</param>
public sealed class BfdProtection(
    MacAddress mac, IPv4Address address, IPv4Address peer, MacAddress peerMac, uint milliseconds = 50,
    byte multiplier = 3) : Service
{
    private const ushort Port = 3784, SourcePort = 49152;
    private const int ControlLength = 24;
    private const int Headers = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength;
    private const byte VersionMask = 0xE0, Version = 1 << 5, MostHops = 255;
    private const byte Poll = 0x20, Final = 0x10, Authenticated = 0x04, Multipoint = 0x01;
    private const uint SlowMicroseconds = 1_000_000, Discriminator = 0x0B1D_0005;

    private static readonly PortId s_inside = new(0), s_primary = new(1), s_backup = new(2);

    private enum State : byte
    {
        AdminDown,
        Down,
        Init,
        Up,
    }

    private readonly uint _wanted = milliseconds is >= 10 and <= 10_000
        ? milliseconds * 1000
        : throw new ArgumentOutOfRangeException(nameof(milliseconds));

    private State _state = State.Down;
    private byte _diagnostic;
    private uint _remoteDiscriminator, _remoteMinReceive = 1, _remoteMinSend;
    private byte _remoteMultiplier;
    private bool _isPolling;
    private ulong _nextSend, _lastHeard;
    private uint _random = 2463534242;

    public override ulong TickInterval => 5_000_000;

    /// <summary>Times that the line came up.</summary>
    public Counter Ups { get; } = new();

    /// <summary>Times that the line went down.</summary>
    public Counter Downs { get; } = new();

    /// <summary>Control packets that were discarded.</summary>
    public Counter Discarded { get; } = new();

    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_inside)
        {
            frame.ForwardTo(_state == State.Up ? s_primary : s_backup);
            return;
        }
        var ethernet = new Ethernet(frame);
        if (frame.Ingress == s_primary && ethernet.EtherType == EtherType.IPv4
            && IPv4.TryParse(ethernet.Payload, out var ip) && ip.Destination == address
            && ip.Protocol == IPProtocol.Udp && !ip.IsFragment && Udp.TryParse(ip.Payload, out var udp)
            && udp.DestinationPort == Port)
        {
            if (ip.Source != peer || ip.Ttl != MostHops || !ip.HasValidHeaderChecksum || !udp.HasValidChecksum(ip)
                || !TryReceive(udp.Payload, frame.Time, out var isPoll))
                Discarded.Increment();
            else if (isPoll) Send(ref frame, Final);
            return;
        }
        frame.ForwardTo(s_inside);
    }

    public override void Tick(ref Frame frame)
    {
        var detection = (ulong)_remoteMultiplier * Math.Max(_wanted, _remoteMinSend) * 1000;
        if (_state is State.Init or State.Up && frame.Time - _lastHeard > detection)
            ChangeTo(State.Down, diagnostic: 1);
        if (frame.Time < _nextSend || _remoteMinReceive == 0) return;
        _nextSend = frame.Time + Jittered(Math.Max(DesiredMinSend, _remoteMinReceive)) * 1000ul;
        Send(ref frame, _isPolling ? Poll : (byte)0);
    }

    private uint DesiredMinSend => _state == State.Up ? _wanted : Math.Max(_wanted, SlowMicroseconds);

    /// <summary>The reception of a packet (RFC 5880 §6.8.6).</summary>
    private bool TryReceive(Span<byte> control, ulong time, out bool isPoll)
    {
        isPoll = false;
        if (control.Length < ControlLength || (control[0] & VersionMask) != Version
            || control[3] < ControlLength || control[3] > control.Length || control[2] == 0
            || (control[1] & (Authenticated | Multipoint)) != 0)
            return false;
        var remote = (State)(control[1] >> 6);
        var (theirs, ours) = (control.GetUInt32(4), control.GetUInt32(8));
        if (theirs == 0 || ours != 0 && ours != Discriminator) return false;
        if (ours == 0 && remote is not (State.Down or State.AdminDown)) return false;

        (_remoteDiscriminator, _remoteMultiplier) = (theirs, control[2]);
        (_remoteMinSend, _remoteMinReceive) = (control.GetUInt32(12), control.GetUInt32(16));
        _lastHeard = time;
        isPoll = (control[1] & Poll) != 0;
        if ((control[1] & Final) != 0) _isPolling = false;

        switch (_state, remote)
        {
            case (not State.Down, State.AdminDown):
            case (State.Up, State.Down):
                ChangeTo(State.Down, diagnostic: 3);
                break;
            case (State.Down, State.Down):
                ChangeTo(State.Init, _diagnostic);
                break;
            case (State.Down, State.Init):
            case (State.Init, State.Init or State.Up):
                ChangeTo(State.Up, diagnostic: 0);
                break;
        }
        return true;
    }

    private void ChangeTo(State state, byte diagnostic)
    {
        if (state == State.Up) Ups.Increment();
        if (_state == State.Up) Downs.Increment();
        // The interval is another from here on, which the other end has to confirm (RFC 5880 §6.8.3).
        _isPolling = state == State.Up;
        if (state == State.Down) _remoteDiscriminator = 0;
        (_state, _diagnostic) = (state, diagnostic);
        _nextSend = 0; // the other end shall know at once
    }

    private void Send(ref Frame frame, byte flags)
    {
        frame.Resize(Headers + ControlLength);
        var ethernet = new Ethernet(frame) { Destination = peerMac, Source = mac, EtherType = EtherType.IPv4 };
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        (ip.Dscp, ip.Ttl, ip.Protocol, ip.Source, ip.Destination) = (48, MostHops, IPProtocol.Udp, address, peer);
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        (udp.SourcePort, udp.DestinationPort) = (SourcePort, Port);
        var control = udp.Payload;
        control[0] = (byte)(Version | _diagnostic);
        control[1] = (byte)((int)_state << 6 | flags);
        control[2] = multiplier;
        control[3] = ControlLength;
        control.SetUInt32(4, Discriminator);
        control.SetUInt32(8, _remoteDiscriminator);
        control.SetUInt32(12, DesiredMinSend);
        control.SetUInt32(16, _wanted);
        control.SetUInt32(20, 0);
        udp.WriteChecksum(ip);
        frame.Send(PortSet.Of(s_primary));
        frame.Drop();
    }

    /// <summary>75 to 90 percent of an interval, by chance (RFC 5880 §6.8.7).</summary>
    private uint Jittered(uint interval)
    {
        _random ^= _random << 13;
        _random ^= _random >> 17;
        _random ^= _random << 5;
        return (uint)((ulong)interval * (75 + _random % 16) / 100);
    }
}
