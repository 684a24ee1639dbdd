namespace Emu.Compiler.Tests;

/// <summary>Drives beats of frames into a design that has an <c>s_axis</c> and shows <c>accept</c>.</summary>
/// <param name="bench">The bench.</param>
/// <param name="lanes">Bytes of a beat.</param>
internal sealed class StreamDriver(UnitBench bench, int lanes)
{
    private readonly Queue<(byte[] Data, bool IsLast, byte[] Frame, int Number)> _beats = new();
    private int _frames;

    /// <summary>The number of frames of which the last beat was accepted in this cycle or before.</summary>
    public int Accepted { get; private set; }

    /// <summary>True if all beats are accepted.</summary>
    public bool IsIdle => _beats.Count == 0;

    /// <summary>The time with which a frame arrives.</summary>
    public static ulong TimeOf(int frame) => 0x1234_0000_0000UL + 1_000_003UL * (ulong)frame;

    /// <summary>Appends a frame to those that wait.</summary>
    public void Send(byte[] frame)
    {
        var beats = frame.Chunk(lanes).ToList();
        foreach (var (i, data) in beats.Index()) _beats.Enqueue((data, i == beats.Count - 1, frame, _frames));
        _frames++;
    }

    /// <summary>Runs a cycle, with a beat on the bus if one waits and none is held back.</summary>
    public void Step(bool isHeldBack)
    {
        var isValid = !isHeldBack && _beats.Count > 0;
        bench.Set("s_axis_tvalid", isValid ? 1u : 0u);
        if (isValid)
        {
            var (data, isLast, frame, number) = _beats.Peek();
            bench.Set("s_axis_tdata", data);
            bench.Set("s_axis_tkeep", ulong.MaxValue >> 64 - data.Length);
            bench.Set("s_axis_tlast", isLast ? 1u : 0u);
            // tuser counts with the first beat only.
            bench.Set("s_axis_tuser", data.AsSpan().SequenceEqual(frame.AsSpan(0, data.Length)) && IsFirst(frame)
                ? (UInt128)TimeOf(number) << 32 | (UInt128)(1 << 2 * (number % 4)) << 16 | (UInt128)frame.Length
                : UInt128.MaxValue);
        }
        bench.Step();
        if (!isValid || !bench.Is("accept")) return;
        if (_beats.Dequeue().IsLast) Accepted++;
    }

    /// <summary>True if the beat that is next is its frame's first.</summary>
    private bool IsFirst(byte[] frame) =>
        _beats.TakeWhile(beat => ReferenceEquals(beat.Frame, frame)).Count() == (frame.Length + lanes - 1) / lanes;
}
