namespace Emu.Hosting;

/// <summary>
/// A frame in the memory of the port that received it, until that port's next <see cref="Port.Receive"/>.
/// </summary>
/// <param name="memory">The first byte of the frame; pinned, or not managed at all.</param>
/// <param name="length">The bytes of the frame, without FCS.</param>
/// <param name="capacity">The bytes that may be written from <paramref name="memory"/> on: the room to grow.</param>
/// <param name="time">The time of its arrival, in nanoseconds; since 1970 for a live port.</param>
public readonly unsafe struct ReceivedFrame(byte* memory, int length, int capacity, ulong time)
{
    private readonly byte* _memory = memory;
    private readonly int _capacity = capacity;

    /// <summary>The frame, and behind it the room to grow.</summary>
    public Span<byte> Memory => new(_memory, _capacity);

    /// <summary>The frame.</summary>
    public Span<byte> Bytes => new(_memory, Length);

    /// <summary>The bytes of the frame, without FCS.</summary>
    public int Length { get; } = length;

    /// <summary>The time of its arrival, in nanoseconds.</summary>
    public ulong Time { get; } = time;

    /// <summary>The same frame, arriving at another time.</summary>
    /// <param name="time">Nanoseconds.</param>
    public ReceivedFrame At(ulong time) => new(_memory, Length, _capacity, time);
}
