using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Emu.Hosting;

/// <summary>
/// Frames on their way: copies in slots of equal length, given out in the order of arrival, then of scheduling.
/// </summary>
/// <remarks>
/// Slots are made in blocks as they are first needed, and used again:
/// memory grows to the most frames that were on their way at once.
/// </remarks>
/// <param name="slotLength">The longest frame in bytes.</param>
internal sealed unsafe class HeldFrames(int slotLength)
{
    /// <summary>No frame.</summary>
    public const int None = -1;

    /// <summary>The most frames held at once: 100 Mbit/s of full frames for 7 s, in 100 MB.</summary>
    private const int MaxSlots = 1 << 16;
    private const int BlockSlots = 1 << 8;

    private readonly List<byte[]> _blocks = [];
    private readonly List<int> _lengths = [];
    private readonly Stack<int> _free = [];
    private readonly List<int> _given = [];
    private readonly PriorityQueue<int, UInt128> _queue = new();
    private ulong _scheduled;

    /// <summary>The time at which the first frame arrives; the maximum for none.</summary>
    public ulong NextDue => _queue.TryPeek(out _, out var priority) ? (ulong)(priority >> 64) : ulong.MaxValue;

    /// <summary>The bytes of a frame that was added and not given yet.</summary>
    public Span<byte> Bytes(int frame) => Memory(frame)[.._lengths[frame]];

    /// <summary>Copies a frame in.</summary>
    /// <returns>The number of the frame, or <see cref="None"/>: it is too long, or too many are held.</returns>
    public int Add(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length > slotLength || !TryTakeSlot(out var frame)) return None;
        _lengths[frame] = bytes.Length;
        bytes.CopyTo(Memory(frame));
        return frame;
    }

    /// <summary>Lets a frame arrive at a time, after those that were scheduled for the same time before.</summary>
    public void Schedule(int frame, ulong arrival) => _queue.Enqueue(frame, new UInt128(arrival, _scheduled++));

    /// <summary>Gives out the first frame; it stays until <see cref="ReleaseGiven"/>.</summary>
    public ReceivedFrame Give()
    {
        _queue.TryDequeue(out var frame, out var priority);
        _given.Add(frame);
        var memory = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(Memory(frame)));   // pinned
        return new ReceivedFrame(memory, _lengths[frame], slotLength, (ulong)(priority >> 64));
    }

    /// <summary>Takes back the memory of all frames given out.</summary>
    public void ReleaseGiven()
    {
        foreach (var frame in _given) _free.Push(frame);
        _given.Clear();
    }

    private Span<byte> Memory(int frame) =>
        _blocks[frame / BlockSlots].AsSpan(frame % BlockSlots * slotLength, slotLength);

    private bool TryTakeSlot(out int frame)
    {
        if (_free.Count == 0) AddBlock();
        return _free.TryPop(out frame);
    }

    private void AddBlock()
    {
        var first = _blocks.Count * BlockSlots;
        if (first == MaxSlots) return;
        _blocks.Add(GC.AllocateUninitializedArray<byte>(BlockSlots * slotLength, pinned: true));
        for (var frame = first + BlockSlots - 1; frame >= first; frame--)
        {
            _lengths.Add(0);
            _free.Push(frame);
        }
    }
}
