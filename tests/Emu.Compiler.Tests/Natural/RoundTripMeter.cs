using System.Numerics;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Measures the round trips of TCP connections by their timestamps (RFC 7323 §3): it notes when a value went out, and
/// looks it up when it comes back as an echo.
/// </summary>
public sealed class RoundTripMeter(int inside = 0, int outside = 1) : Service
{
    private const int Slots = 4096, Buckets = 24;

    private readonly ulong[] _sent = new ulong[Slots];
    private readonly uint[] _tags = new uint[Slots];
    private readonly H3Hash _hash = new(128, 30, 9);
    private readonly Counter[] _histogram = [.. Enumerable.Range(0, Buckets).Select(_ => new Counter())];

    private uint _smoothed;

    public Counter Unmatched { get; } = new();

    public override void Process(ref Frame frame)
    {
        var isOut = frame.Ingress.Index == inside;
        frame.ForwardTo(new PortId(isOut ? outside : inside));
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Tcp || !Tcp.TryParse(ip.Payload, out var tcp)
            || !TryReadTimestamps(tcp, out var value, out var echo))
            return;
        var (host, server) = isOut ? (ip.Source, ip.Destination) : (ip.Destination, ip.Source);
        var ports = isOut
            ? (uint)tcp.SourcePort << 16 | tcp.DestinationPort
            : (uint)tcp.DestinationPort << 16 | tcp.SourcePort;
        var key = new UInt128((ulong)host.Bits << 32 | server.Bits, (ulong)ports << 32 | (isOut ? value : echo));
        var tag = (uint)_hash.Index(key);
        var slot = (int)(tag % Slots);
        if (isOut)
        {
            if (_tags[slot] == tag) return;
            _tags[slot] = tag;
            _sent[slot] = frame.Time;
            return;
        }
        if (_tags[slot] != tag)
        {
            Unmatched.Increment();
            return;
        }
        _tags[slot] = 0;
        var microseconds = (uint)Math.Min((frame.Time - _sent[slot]) / 1000, uint.MaxValue);
        _smoothed = _smoothed - _smoothed / 8 + microseconds / 8;
        _histogram[Math.Min(BitOperations.Log2(microseconds | 1), Buckets - 1)].Increment();
    }

    private static bool TryReadTimestamps(Tcp tcp, out uint value, out uint echo)
    {
        var options = tcp.Options;
        while (options.MoveNext())
            if (options.TryReadTimestamps(out value, out echo)) return true;
        (value, echo) = (0, 0);
        return false;
    }
}
