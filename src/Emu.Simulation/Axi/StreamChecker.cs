using System.Numerics;

namespace Emu.Simulation;

/// <summary>
/// Watches one side for the rules of AXI4-Stream (ARM IHI 0051A) and of the NetFPGA reference pipeline.
/// </summary>
/// <param name="signals">The stream.</param>
public sealed class StreamChecker(StreamSignals signals)
{
    /// <summary>The most bytes that <c>tuser</c> can state.</summary>
    private const int MaxLength = ushort.MaxValue;

    private readonly (string Name, ulong[] Words, ulong[] Before)[] _payload =
    [
        ("tdata", signals.Data, new ulong[signals.Data.Length]), ("tkeep", signals.Keep, new ulong[1]),
        ("tlast", signals.Last, new ulong[1]), ("tuser", signals.User, new ulong[2]),
    ];

    private bool _isWaiting;
    private bool _wasInReset;
    private int? _statedLength;
    private int _bytes;

    /// <summary>
    /// True if the length that <c>tuser</c> states has to be true; false for a source that lies on purpose.
    /// </summary>
    public bool ChecksLength { get; set; } = true;

    /// <summary>True if a frame has begun that has not ended.</summary>
    public bool IsInFrame => _statedLength is not null;

    /// <summary>Looks at the signals before an edge, after all inputs are decided.</summary>
    /// <param name="cycle">The number of that edge.</param>
    /// <param name="isInReset">True in reset; the frame that was begun is forgotten.</param>
    /// <exception cref="BusException">A rule is broken.</exception>
    public void Observe(long cycle, bool isInReset)
    {
        if (isInReset)
        {
            // The first edge in reset lowers it.
            if (_wasInReset && signals.IsValid) throw Broken(cycle, "tvalid is high in reset");
            (_isWaiting, _wasInReset, _statedLength, _bytes) = (false, true, null, 0);
            return;
        }
        _wasInReset = false;
        CheckStable(cycle);
        if (signals.IsValid) CheckKeep(cycle);
        _isWaiting = signals.IsValid && !signals.IsTransfer;
        foreach (var (_, words, before) in _payload) words.CopyTo(before, 0);
        if (signals.IsTransfer) CheckLength(cycle);
    }

    private void CheckStable(long cycle)
    {
        if (!_isWaiting) return;
        if (!signals.IsValid) throw Broken(cycle, "tvalid fell before tready came");
        foreach (var (name, words, before) in _payload)
            if (!words.AsSpan().SequenceEqual(before)) throw Broken(cycle, $"{name} changed before tready came");
    }

    private void CheckKeep(long cycle)
    {
        var keep = signals.Keep[0];
        if ((keep & keep + 1) != 0) throw Broken(cycle, $"tkeep {keep:x} has a hole");
        if (!signals.IsLast && BitOperations.PopCount(keep) < signals.BusBytes)
            throw Broken(cycle, $"tkeep {keep:x} is not full on a beat that is not the last");
        if (keep == 0 && IsInFrame) throw Broken(cycle, "tkeep is 0 on the last of several beats");
    }

    private void CheckLength(long cycle)
    {
        _statedLength ??= StreamUser.Of(signals.User).Length;
        _bytes += BitOperations.PopCount(signals.Keep[0]);
        var most = ChecksLength ? _statedLength.Value : MaxLength;
        // A frame that exceeds its stated length is found here, before its tlast, which might never come.
        if (!signals.IsLast && _bytes >= most)
            throw Broken(
                cycle,
                $"{_bytes} bytes came without tlast, "
                + $"{(ChecksLength ? $"tuser stated {most}" : "more than any frame has")}");
        if (!signals.IsLast) return;
        if (ChecksLength && _bytes != _statedLength)
            throw Broken(cycle, $"{_bytes} bytes came, tuser stated {_statedLength}");
        (_statedLength, _bytes) = (null, 0);
    }

    private BusException Broken(long cycle, string rule) => new($"{signals.Name}, cycle {cycle}: {rule}");
}
