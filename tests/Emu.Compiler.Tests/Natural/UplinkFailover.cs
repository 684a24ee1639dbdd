using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Two uplinks, of which one is used: a heartbeat is sent over each with every tick, and the other end's heartbeats are
/// looked for. If three are missing, the other link takes over; the first one is used again once it has been well for
/// ten ticks. What comes back over a link goes to the hosts.
/// </summary>
public sealed class UplinkFailover(MacAddress mac) : Service
{
    private const EtherType Heartbeat = EtherType.LocalExperimental;
    private const int First = 0, Second = 1, Hosts = 2;
    private const int AllowedMisses = 3, Wellness = 10;

    private static readonly PortSet s_uplinks = PortSet.Parse("0,1");

    private readonly bool[] _heard = new bool[2];
    private readonly byte[] _misses = new byte[2];
    private int _active;
    private int _well;
    private uint _sequence;

    public override ulong TickInterval => 10_000_000;

    public Counter Heard { get; } = new();

    public Counter Failovers { get; } = new();

    public Counter Returns { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var ingress = (int)frame.Ingress.Index;
        if (ingress > Second)
        {
            frame.ForwardTo(new PortId(_active));
            return;
        }
        if (ethernet.EtherType == Heartbeat)
        {
            _heard[ingress] = true;
            Heard.Increment();
            return;
        }
        if (ingress == _active) frame.ForwardTo(new PortId(Hosts));
    }

    public override void Tick(ref Frame frame)
    {
        for (var i = 0; i < 2; i++)
        {
            if (_heard[i]) _misses[i] = 0;
            else if (_misses[i] < AllowedMisses) _misses[i]++;
            _heard[i] = false;
        }
        _well = _misses[First] == 0 ? Math.Min(_well + 1, Wellness) : 0;
        if (_active == First && _misses[First] >= AllowedMisses && _misses[Second] < AllowedMisses)
        {
            _active = Second;
            Failovers.Increment();
        }
        else if (_active == Second && (_well == Wellness || _misses[Second] >= AllowedMisses))
        {
            _active = First;
            Returns.Increment();
        }
        frame.Resize(60);
        var ethernet = new Ethernet(frame) { Destination = MacAddress.Broadcast, Source = mac, EtherType = Heartbeat };
        BinaryPrimitives.WriteUInt32BigEndian(ethernet.Payload, _sequence++);
        ethernet.Payload[4] = (byte)_active;
        frame.ForwardTo(s_uplinks);
    }
}
