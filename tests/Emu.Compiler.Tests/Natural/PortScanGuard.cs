using System.Numerics;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Finds hosts that try many TCP ports in a short time, and blocks them for a while. What a source has tried is kept as
/// a bitmap of 64 bits, into which ports are hashed.
/// </summary>
/// <remarks>
/// Port 0 is outside, port 1 inside. Only what comes from outside is watched: SYNs, and segments with flags that no
/// connection has (none, FIN alone, or FIN, PSH and URG), which count as three ports.
/// </remarks>
/// <example>--limit 12 --window-milliseconds 1000 --block-milliseconds 60000</example>
/// <param name="limit">The most bits of the bitmap, 1 to 63.</param>
/// <param name="windowMilliseconds">The time in which they are counted.</param>
/// <param name="blockMilliseconds">How long a host is blocked.</param>
public sealed class PortScanGuard(int limit = 12, int windowMilliseconds = 1000, int blockMilliseconds = 60_000)
    : Service
{
    private const int MillisecondsPerSecond = 1000;
    private const ulong NanosecondsPerMillisecond = 1_000_000;
    private const TcpFlags Christmas = TcpFlags.Fin | TcpFlags.Psh | TcpFlags.Urg;

    private static readonly PortId s_outside = new(0), s_inside = new(1);

    private struct Attempts
    {
        public ulong Ports;
        public ulong Begin;
        public byte Odd;
    }

    private readonly AgeingTable<IPv4Address, Attempts> _attempts = new(512, windowMilliseconds, 5,
        MillisecondsPerSecond);
    private readonly AgeingTable<IPv4Address, ulong> _blocked = new(256, blockMilliseconds, 6, MillisecondsPerSecond);

    /// <summary>Hosts that were found.</summary>
    public Counter Scanners { get; } = new();

    /// <summary>Segments with impossible flags.</summary>
    public Counter OddSegments { get; } = new();

    /// <summary>Packets of hosts that are blocked.</summary>
    public Counter Blocked { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress != s_outside)
        {
            frame.ForwardTo(s_outside);
            return;
        }
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip))
        {
            var now = frame.Time / NanosecondsPerMillisecond;
            if (_blocked.TryGet(ip.Source, now, out _))
            {
                Blocked.Increment();
                return;
            }
            if (!ip.IsFragment && ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp)
                && IsScan(ip.Source, tcp, now))
            {
                Scanners.Increment();
                _blocked.Set(ip.Source, now, now);
                return;
            }
        }
        frame.ForwardTo(s_inside);
    }

    private bool IsScan(IPv4Address source, Tcp tcp, ulong now)
    {
        var isOdd = tcp.Flags is TcpFlags.None or TcpFlags.Fin or Christmas;
        if (isOdd) OddSegments.Increment();
        else if ((tcp.Flags & (TcpFlags.Syn | TcpFlags.Ack)) != TcpFlags.Syn) return false;

        ref var attempts = ref _attempts.GetOrAdd(source, now, out var isNew);
        if (isNew || now - attempts.Begin >= (ulong)windowMilliseconds)
        {
            attempts.Ports = 0;
            attempts.Odd = 0;
            attempts.Begin = now;
        }
        attempts.Ports |= 1UL << (int)((tcp.DestinationPort * 0x9E37_79B1u) >> 26);
        if (isOdd && attempts.Odd < byte.MaxValue) attempts.Odd++;
        return BitOperations.PopCount(attempts.Ports) + 3 * attempts.Odd > limit;
    }
}
