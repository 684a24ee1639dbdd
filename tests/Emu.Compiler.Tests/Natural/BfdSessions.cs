using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Watches paths by BFD (RFC 5880): up to eight sessions with their states, each answered in turn; a session of which
/// nothing is heard for three intervals is down. Echo packets go back as they are.
/// </summary>
public sealed class BfdSessions(IPv4Address address, MacAddress mac) : Service
{
    private const ushort Control = 3784, Echo = 3785;
    private const byte AdminDown = 0, Down = 1, Init = 2, Up = 3;
    private const int Sessions = 8, Length = 24;
    private const ulong Detection = 150_000_000;

    private readonly byte[] _states = new byte[Sessions];
    private readonly ulong[] _heard = new ulong[Sessions];

    public override ulong TickInterval => 10_000_000;

    public Counter CameUp { get; } = new();

    public Counter WentDown { get; } = new();

    public Counter Echoes { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp))
            return;
        if (udp.DestinationPort == Echo)
        {
            (ethernet.Source, ethernet.Destination) = (ethernet.Destination, ethernet.Source);
            Echoes.Increment();
            frame.Reply();
            return;
        }
        if (udp.DestinationPort != Control || ip.Destination != address || ip.Ttl != 255) return;
        var bfd = udp.Payload;
        if (bfd.Length < Length || bfd[0] >> 5 != 1 || bfd[2] == 0 || bfd[3] < Length)
        {
            Malformed.Increment();
            return;
        }
        var remote = BinaryPrimitives.ReadUInt32BigEndian(bfd[4..]);
        var local = BinaryPrimitives.ReadUInt32BigEndian(bfd[8..]);
        var session = (int)((local == 0 ? remote : local) % Sessions);
        var state = Next(_states[session], (byte)(bfd[1] >> 6));
        if (state == Up && _states[session] != Up) CameUp.Increment();
        if (state != Up && _states[session] == Up) WentDown.Increment();
        _states[session] = state;
        _heard[session] = frame.Time;

        bfd[1] = (byte)(state << 6);
        bfd[2] = 3;
        BinaryPrimitives.WriteUInt32BigEndian(bfd[4..], (uint)session + Sessions);
        BinaryPrimitives.WriteUInt32BigEndian(bfd[8..], remote);
        (ip.Source, ip.Destination) = (ip.Destination, ip.Source);
        udp.Checksum = 0;
        (ethernet.Source, ethernet.Destination) = (mac, ethernet.Source);
        frame.Reply();
    }

    public override void Tick(ref Frame frame)
    {
        for (var i = 0; i < Sessions; i++)
        {
            if (_states[i] == Up && frame.Time - _heard[i] > Detection)
            {
                _states[i] = Down;
                WentDown.Increment();
            }
        }
    }

    private static byte Next(byte state, byte remote) => (state, remote) switch
    {
        (_, AdminDown) => Down,
        (Down, Down) => Init,
        (Down, Init) => Up,
        (Init, Init or Up) => Up,
        (Up, Down) => Down,
        _ => state,
    };
}
