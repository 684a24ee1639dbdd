using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Spreads flows over two uplinks of equal cost, and moves one to the other that has less to send whenever it has
/// paused long enough that its packets cannot overtake one another (flowlet switching).
/// </summary>
public sealed class FlowletRouter(MacAddress mac, MacAddress gatewayA, MacAddress gatewayB, int microseconds = 5)
    : Service
{
    private struct Flowlet
    {
        public ulong Seen;
        public byte Uplink;
    }

    private readonly Flowlet[] _flowlets = new Flowlet[1024];
    private uint _bytesA, _bytesB;

    public Counter Moved { get; } = new();

    public Counter Routed { get; } = new();

    public Counter Expired { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.Destination != mac || ethernet.EtherType != EtherType.IPv4
            || !IPv4.TryParse(ethernet.Payload, out var ip))
            return;
        if (ip.Ttl <= 1)
        {
            Expired.Increment();
            return;
        }
        uint ports = 0;
        if (!ip.IsFragment && ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp))
            ports = (uint)tcp.SourcePort << 16 | tcp.DestinationPort;
        else if (!ip.IsFragment && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp))
            ports = (uint)udp.SourcePort << 16 | udp.DestinationPort;
        var hash = (ip.Source.Bits ^ ip.Destination.Bits ^ ports ^ (uint)ip.Protocol) * 0x9E3779B1;

        ref var flowlet = ref _flowlets[hash >> 22];
        if (frame.Time - flowlet.Seen > (ulong)microseconds * 1000)
        {
            var uplink = _bytesA <= _bytesB ? (byte)0 : (byte)1;
            if (uplink != flowlet.Uplink) Moved.Increment();
            flowlet.Uplink = uplink;
        }
        flowlet.Seen = frame.Time;
        if (flowlet.Uplink == 0) _bytesA += (uint)frame.Length;
        else _bytesB += (uint)frame.Length;

        ip.DecrementTtl();
        ethernet.Source = mac;
        ethernet.Destination = flowlet.Uplink == 0 ? gatewayA : gatewayB;
        Routed.Increment();
        frame.ForwardTo(new PortId(2 + flowlet.Uplink));
    }
}
