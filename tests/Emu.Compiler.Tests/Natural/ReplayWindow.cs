using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Drops packets of ESP that come twice, or so late that nobody knows: a window of 64 sequence numbers for each
/// security association (RFC 4303 §3.4.3).
/// </summary>
public sealed class ReplayWindow(int associations = 256) : Service
{
    private const int WindowLength = 64;

    private struct Window
    {
        public uint Spi, Highest;

        public ulong Seen;
    }

    private readonly Window[] _windows = new Window[associations];

    public Counter Passed { get; } = new();

    public Counter Replayed { get; } = new();

    public Counter Late { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Esp && ip.Payload.Length >= 8)
        {
            var spi = BinaryPrimitives.ReadUInt32BigEndian(ip.Payload);
            var sequence = BinaryPrimitives.ReadUInt32BigEndian(ip.Payload[4..]);
            if (!IsFresh(spi, sequence)) return;
            Passed.Increment();
        }
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
    }

    private bool IsFresh(uint spi, uint sequence)
    {
        ref var window = ref _windows[spi % (uint)_windows.Length];
        if (sequence == 0)
        {
            Replayed.Increment();
            return false;
        }
        if (window.Spi != spi)
        {
            window.Spi = spi;
            window.Highest = sequence;
            window.Seen = 1;
            return true;
        }
        if (sequence > window.Highest)
        {
            var ahead = sequence - window.Highest;
            window.Seen = ahead < WindowLength ? window.Seen << (int)ahead | 1 : 1;
            window.Highest = sequence;
            return true;
        }
        var behind = window.Highest - sequence;
        if (behind >= WindowLength)
        {
            Late.Increment();
            return false;
        }
        var bit = 1ul << (int)behind;
        if ((window.Seen & bit) != 0)
        {
            Replayed.Increment();
            return false;
        }
        window.Seen |= bit;
        return true;
    }
}
