using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Passes advertisements of virtual routers (VRRP, RFC 5798) from the master alone: one of a lower priority from
/// another router is dropped as long as the master is heard.
/// </summary>
public sealed class VrrpWatch : Service
{
    private const byte Protocol = 112;

    private struct Router
    {
        public IPv4Address Master;
        public byte Priority;
        public ulong Heard;
    }

    private readonly Router[] _routers = new Router[256];

    public Counter Advertisements { get; } = new();

    public Counter Takeovers { get; } = new();

    public Counter Dropped { get; } = new();

    public Counter Invalid { get; } = new();

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || (byte)ip.Protocol != Protocol)
            return;
        var message = ip.Payload;
        if (ip.Ttl != 255 || message.Length < 8 || message[0] != 0x31
            || message.Length < 8 + 4 * message[3]
            || !InternetChecksum.IsValid(
                ip.PseudoHeaderSum((IPProtocol)Protocol, message.Length) + InternetChecksum.Sum(message)))
        {
            Invalid.Increment();
            frame.Drop();
            return;
        }
        Advertisements.Increment();
        var priority = message[2];
        // In hundredths of a second; the master is gone after three.
        var interval = (ulong)(BinaryPrimitives.ReadUInt16BigEndian(message[4..]) & 0xFFF) * 10_000_000;
        ref var router = ref _routers[message[1]];
        if (router.Master != ip.Source)
        {
            if (frame.Time - router.Heard < 3 * interval && priority <= router.Priority)
            {
                Dropped.Increment();
                frame.Drop();
                return;
            }
            Takeovers.Increment();
        }
        router.Master = ip.Source;
        router.Priority = priority;
        router.Heard = frame.Time;
    }
}
