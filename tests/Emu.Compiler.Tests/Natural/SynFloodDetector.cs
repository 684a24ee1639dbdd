using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Finds floods of SYNs by what they do to the balance of openings and ends of connections, and holds them back while
/// they last: a cumulative sum for each server (Wang, Zhang and Shin 2002, <i>Detecting SYN Flooding Attacks</i>, §IV;
/// RFC 4987 §3).
/// </summary>
/// <remarks>Port 0 is the outside, port 1 that of the servers. Numbers with fractions are in 256ths.</remarks>
/// <param name="periodMicroseconds">The length of a period of observation.</param>
/// <param name="threshold">The sum above which there is a flood: the paper's N.</param>
/// <param name="admitted">The SYNs that a server gets in each period of a flood.</param>
public sealed class SynFloodDetector(uint periodMicroseconds = 1_000_000, int threshold = 2, uint admitted = 10)
    : Service
{
    private const int Servers = 128, HashBits = 7;
    private const int One = 256, Offset = One * 35 / 100, MeanWeight = 8; // the paper's a is 0.35
    private const int MostSum = One * 1024, MostPeriods = 64;

    private static readonly PortId s_outside = new(0), s_inside = new(1);

    private struct State
    {
        public uint Period;
        public uint Opened, Ended;
        public uint Admitted;

        /// <summary>The mean of the ends in a period.</summary>
        public int Mean;

        /// <summary>The sum of what the openings were too many, in means.</summary>
        public int Sum;
        public bool IsFlooded;
    }

    private readonly H3Hash _hash = new(IPv4Address.Width, HashBits, seed: 0x5F1);
    private readonly State[] _states = new State[Servers];

    /// <summary>Segments that passed.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Floods that began.</summary>
    public Counter Floods { get; } = new();

    /// <summary>Floods that ended.</summary>
    public Counter Ended { get; } = new();

    /// <summary>SYNs held back.</summary>
    public Counter HeldBack { get; } = new();

    /// <summary>Segments dropped: flags that cannot be together.</summary>
    public Counter Malformed { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var isFromOutside = frame.Ingress == s_outside;
        if (isFromOutside) frame.ForwardTo(s_inside);
        else if (frame.Ingress == s_inside) frame.ForwardTo(s_outside);
        else return;

        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (ip.Protocol != IPProtocol.Tcp || ip.FragmentOffset != 0) return;
        if (!Tcp.TryParse(ip.Payload, out var tcp) || tcp.IsSyn && (tcp.IsFin || tcp.IsRst))
        {
            Malformed.Increment();
            frame.Drop();
            return;
        }

        var server = isFromOutside ? ip.Destination : ip.Source;
        ref var state = ref _states[_hash.Index(server.KeyBits)];
        Advance(ref state, (uint)(frame.Time / 1000 / periodMicroseconds));
        if (tcp.IsFin || tcp.IsRst) state.Ended++;
        if (isFromOutside && tcp.IsSyn && !tcp.IsAck)
        {
            state.Opened++;
            if (state.IsFlooded && state.Admitted++ >= admitted)
            {
                HeldBack.Increment();
                frame.Drop();
                return;
            }
        }
        Passed.Increment();
    }

    /// <summary>Closes the period that was under way, and those in which nothing came.</summary>
    private void Advance(ref State state, uint period)
    {
        if (state.Period == period) return;
        var empty = Math.Min(period - state.Period - 1, MostPeriods);
        if (state.Mean == 0) state.Mean = (int)Math.Min(state.Ended, 1 << 20) * One;
        Close(ref state, Balance(state));
        state.Sum = Math.Max(0, state.Sum - (int)empty * Offset);
        if (state.IsFlooded && state.Sum < threshold * One / 2)
        {
            state.IsFlooded = false;
            Ended.Increment();
        }
        (state.Period, state.Opened, state.Ended, state.Admitted) = (period, 0, 0, 0);
    }

    private void Close(ref State state, int balance)
    {
        state.Sum = Math.Clamp(state.Sum + balance - Offset, 0, MostSum);
        var ended = (int)Math.Min(state.Ended, 1 << 20) * One;
        state.Mean += (ended - state.Mean) / MeanWeight;
        if (state.IsFlooded || state.Sum <= threshold * One) return;
        state.IsFlooded = true;
        Floods.Increment();
    }

    /// <summary>The openings without an end, as a multiple of the mean of the ends.</summary>
    private static int Balance(in State state)
    {
        var more = Math.Clamp((long)state.Opened - state.Ended / 2, -(1 << 20), 1 << 20);
        return (int)Math.Clamp(more * One * One / Math.Max(state.Mean, One), -MostSum, MostSum);
    }
}
