using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Emu.Hosting;

/// <summary>
/// The memory of one batch of received frames, one behind the other, each with room to grow. Small frames lie close
/// together, so that a batch stays in the cache; the longest still fits.
/// </summary>
internal sealed unsafe class FrameArena
{
    /// <summary>The longest frame that fits, in bytes.</summary>
    public const int MaxFrameLength = CaptureReader.MaxPacketLength;

    private const int Length = 1 << 20;
    private const int CacheLine = 64;

    private readonly byte[] _memory = GC.AllocateUninitializedArray<byte>(Length, pinned: true);
    private readonly byte* _start;
    private readonly int _room;
    private int _used;

    /// <param name="mtu">The longest frame, without header and VLAN tag, that a frame may grow to.</param>
    public FrameArena(int mtu)
    {
        _start = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_memory));
        _room = FrameLength.Of(mtu);
    }

    /// <summary>True if there is room for one more, however long.</summary>
    public bool HasRoom => Length - _used >= MaxFrameLength;

    /// <summary>The place where the next frame is to be written.</summary>
    public byte* Next => _start + _used;

    /// <summary>Gives back all frames.</summary>
    public void Reset() => _used = 0;

    /// <summary>Keeps the frame that was written at <see cref="Next"/>.</summary>
    public ReceivedFrame Keep(int length, ulong time)
    {
        var capacity = Math.Max(length, _room);
        var frame = new ReceivedFrame(Next, length, capacity, time);
        _used += capacity + CacheLine - 1 & ~(CacheLine - 1);
        return frame;
    }

    /// <summary>Copies a frame in.</summary>
    public ReceivedFrame Keep(ReadOnlySpan<byte> frame, ulong time)
    {
        frame.CopyTo(new Span<byte>(Next, frame.Length));
        return Keep(frame.Length, time);
    }
}
