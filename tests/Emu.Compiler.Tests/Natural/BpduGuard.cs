using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A switch whose edge ports must have no other switch behind them: one that sends a BPDU of the spanning tree protocol
/// is shut for some time (BPDU guard). On the uplink the root bridge is noted.
/// </summary>
public sealed class BpduGuard(int uplink = 3, int seconds = 30) : Service
{
    private static readonly MacAddress s_bridges = new(0x0180_C200_0000);

    private readonly AgeingTable<MacAddress, byte> _stations = new(1024, 300, 17);
    private readonly ulong[] _shutUntil = new ulong[4];
    private ulong _root;

    public Counter Bpdus { get; } = new();

    public Counter Shut { get; } = new();

    public Counter Dropped { get; } = new();

    public Counter RootChanges { get; } = new();

    public override void Process(ref Frame frame)
    {
        var port = frame.Ingress.Index & 3;
        var now = frame.Seconds;
        if (now < _shutUntil[port])
        {
            Dropped.Increment();
            return;
        }
        var ethernet = new Ethernet(frame);
        if (ethernet.Destination == s_bridges)
        {
            if (ethernet.IsLength && Llc.TryParse(ethernet.Payload, ethernet.Length, out var llc) && llc.Dsap == 0x42)
                HandleBpdu(port, llc.Payload, now);
            return;
        }
        if (ethernet.Source.IsIndividual) _stations.Set(ethernet.Source, frame.Ingress.Index, now);
        if (ethernet.Destination.IsIndividual && _stations.TryGet(ethernet.Destination, now, out var known))
            frame.ForwardTo(new PortId(known));
        else frame.Flood();
    }

    private void HandleBpdu(int port, Span<byte> bpdu, ulong now)
    {
        Bpdus.Increment();
        if (port != uplink)
        {
            _shutUntil[port] = now + (ulong)seconds;
            Shut.Increment();
            return;
        }
        // A configuration, or a rapid one: protocol 0, type 0 or 2.
        if (bpdu.Length < 35 || bpdu[0] != 0 || bpdu[1] != 0 || (bpdu[3] != 0 && bpdu[3] != 2)) return;
        ulong root = 0;
        for (var i = 0; i < 8; i++) root = root << 8 | bpdu[5 + i];
        if (root != _root) RootChanges.Increment();
        _root = root;
    }
}
