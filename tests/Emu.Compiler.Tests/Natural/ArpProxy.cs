using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Answers ARP requests for hosts that it has heard of, so that a large network has no floods of them; what it does
/// not know it lets pass.
/// </summary>
public sealed class ArpProxy(int capacity = 1024, int lifetimeSeconds = 600) : Service
{
    private struct Host
    {
        public MacAddress Mac;
        public byte Port;
    }

    private readonly AgeingTable<IPv4Address, Host> _hosts = new(capacity, lifetimeSeconds, 21);

    public Counter Answered { get; } = new();

    public Counter Flooded { get; } = new();

    public Counter Moves { get; } = new();

    public Counter Probes { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.Arp || !Arp.TryParse(ethernet.Payload, out var arp))
        {
            frame.Flood();
            return;
        }
        var sender = arp.SenderProtocolAddress;
        if (sender.IsUnspecified)
        {
            // A host looks whether its address is free (RFC 5227): all have to hear it.
            Probes.Increment();
            frame.Flood();
            return;
        }
        ref var known = ref _hosts.GetOrAdd(sender, frame.Seconds, out var isNew);
        if (!isNew && known.Mac != arp.SenderHardwareAddress) Moves.Increment();
        known.Mac = arp.SenderHardwareAddress;
        known.Port = frame.Ingress.Index;

        var target = arp.TargetProtocolAddress;
        if (arp.Operation == ArpOperation.Request && target != sender
            && _hosts.TryGet(target, frame.Seconds, out var host))
        {
            if (host.Port == frame.Ingress.Index) return;
            arp.Operation = ArpOperation.Reply;
            arp.TargetHardwareAddress = arp.SenderHardwareAddress;
            arp.TargetProtocolAddress = sender;
            arp.SenderHardwareAddress = host.Mac;
            arp.SenderProtocolAddress = target;
            ethernet.Destination = ethernet.Source;
            ethernet.Source = host.Mac;
            Answered.Increment();
            frame.Reply();
            return;
        }
        Flooded.Increment();
        frame.Flood();
    }
}
