using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Shields hosts from answers of time servers that have gone wrong: of each server the last eight answers are kept,
/// sorted by delay, as in the clock filter of NTP (RFC 5905 §10, appendix A.5.2); an answer whose offset is far from
/// that of the sample with the least delay is held back, and so are kisses of death that no one asked for (§7.4).
/// </summary>
/// <remarks>Hosts are at port 0, servers at port 1. The offset is against this device's own time.</remarks>
/// <param name="stepMicroseconds">The most that an answer may differ.</param>
public sealed class NtpClockFilter(int stepMicroseconds = 128_000) : Service
{
    private const int Servers = 16;
    private const int Stages = 8;
    private const int HeaderLength = 48;
    private const ulong NtpEpoch = 2_208_988_800;
    private const long MaxDelay = 16L << 32;

    private static readonly PortId s_hosts = new(0);
    private static readonly PortId s_servers = new(1);

    private readonly Server[] _servers = new Server[Servers];
    private readonly Sample[] _samples = new Sample[Servers * Stages];
    private readonly H3Hash _hash = new(32, 4, seed: 5);
    private readonly long _step = ((long)stepMicroseconds << 32) / 1_000_000;

    private struct Server
    {
        public IPv4Address Address;
        public int Count;
        public byte Next;
        public long Offset;
        public long Jitter;
    }

    private struct Sample
    {
        public long Delay;
        public long Offset;
        public byte Stage;
    }

    /// <summary>Answers that went on.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Answers held back: their offset is too far from what the server had.</summary>
    public Counter Steps { get; } = new();

    /// <summary>Answers held back: not synchronised, kisses of death, or none at all.</summary>
    public Counter Bad { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_hosts)
        {
            frame.ForwardTo(s_servers);
            return;
        }
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip) && !ip.IsFragment
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp) && udp.SourcePort == Ntp.Port)
        {
            if (!IsAnswer(udp.Payload))
            {
                Bad.Increment();
                return;
            }
            if (!IsNear(ip.Source, udp.Payload, ToNtp(frame.Time)))
            {
                Steps.Increment();
                return;
            }
            Passed.Increment();
        }
        frame.ForwardTo(s_hosts);
    }

    private static bool IsAnswer(Span<byte> message) => message.Length >= HeaderLength
        && message[0] >> 6 != 3 && (message[0] & 7) == 4 && message[1] is > 0 and < 16
        && message.GetUInt64(24) != 0 && message.GetUInt64(40) != 0;

    private bool IsNear(IPv4Address source, Span<byte> message, ulong now)
    {
        var (sent, received, answered) = (message.GetUInt64(24), message.GetUInt64(32), message.GetUInt64(40));
        var delay = (long)(now - sent) - (long)(answered - received);
        var offset = ((long)(received - sent) + (long)(answered - now)) / 2;
        if (delay is < 0 or > MaxDelay) return false;
        var number = _hash.Index(source.KeyBits);
        ref var server = ref _servers[number];
        if (server.Address != source) server = new Server { Address = source };
        var isNear = server.Count < Stages / 2 || Math.Abs(offset - server.Offset) <= _step;
        Insert(_samples.AsSpan(number * Stages, Stages), ref server, delay, offset);
        return isNear;
    }

    /// <summary>Takes the oldest sample out, and puts the new one where its delay belongs.</summary>
    private static void Insert(Span<Sample> samples, ref Server server, long delay, long offset)
    {
        var end = server.Count;
        if (end == Stages)
        {
            var oldest = 0;
            while (samples[oldest].Stage != server.Next) oldest++;
            for (var i = oldest; i < Stages - 1; i++) samples[i] = samples[i + 1];
            end--;
        }
        var place = end;
        while (place > 0 && samples[place - 1].Delay > delay)
        {
            samples[place] = samples[place - 1];
            place--;
        }
        samples[place] = new Sample { Delay = delay, Offset = offset, Stage = server.Next };
        server.Next = (byte)((server.Next + 1) % Stages);
        server.Count = end + 1;
        server.Offset = samples[0].Offset;
        var sum = 0L;
        foreach (var sample in samples[..server.Count]) sum += Math.Abs(sample.Offset - server.Offset);
        server.Jitter = sum / server.Count;
    }

    private static ulong ToNtp(ulong time)
    {
        var seconds = time / 1_000_000_000;
        var rest = time - seconds * 1_000_000_000;
        return (seconds + NtpEpoch) << 32 | (rest << 32) / 1_000_000_000;
    }
}
