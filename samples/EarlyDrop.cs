namespace Emu.Samples;

/// <summary>
/// Drops packets by chance, as a link with loss does, or a router that warns its senders (RFC 2309 §3): numbers come
/// from a generator of 64 bits (xorshift64*; Vigna 2016, <em>An experimental exploration of Marsaglia's xorshift
/// generators, scrambled</em>).
/// </summary>
/// <remarks>The same seed drops the same frames of a capture.</remarks>
/// <example>--per-million 10000 --seed 1</example>
/// <param name="perMillion">The frames of a million that are dropped, 0 to 1000000.</param>
/// <param name="seed">The state at first, from 1.</param>
public sealed class EarlyDrop(uint perMillion = 10_000, ulong seed = 1) : Service
{
    private const uint Million = 1_000_000;

    private readonly uint _limit = perMillion <= Million
        ? (uint)(((ulong)perMillion << 31) / Million)
        : throw new ArgumentOutOfRangeException(nameof(perMillion), perMillion, "of a million frames at most all");

    private ulong _state = seed > 0
        ? seed
        : throw new ArgumentOutOfRangeException(nameof(seed), seed, "0 is followed by nothing but 0");

    /// <summary>Frames dropped.</summary>
    public Counter Dropped { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (Next() >> 33 < _limit) Dropped.Increment();
        else frame.Flood();
    }

    private ulong Next()
    {
        _state ^= _state >> 12;
        _state ^= _state << 25;
        _state ^= _state >> 27;
        return _state * 0x2545_F491_4F6C_DD1D;
    }
}
