using Emu.Compiler.IR;

namespace Emu.Compiler.Dialect;

/// <summary>
/// The ports of memories in one state: a memory is read at one place at most, and written at one, and not read behind
/// the write. The frame is a memory for each byte of a beat.
/// </summary>
internal sealed class StatePorts
{
    /// <summary>The bytes of a beat.</summary>
    public const int Lanes = 8;

    private readonly Dictionary<int, int> _rows = [];
    private readonly HashSet<int> _writtenLanes = [];
    private readonly Dictionary<StateElement, Value> _readAt = [];
    private readonly HashSet<StateElement> _written = [];
    private bool _isTurned;

    /// <summary>Takes the ports of the frame that an access needs; false if one is taken.</summary>
    public bool TryTakeFrame(Operation access)
    {
        var isRead = access.Opcode == Opcode.FrameRead;
        if (access.Operands[0] is not Constant { Bits: var offset })
        {
            if (_isTurned || _writtenLanes.Count > 0 || isRead && _rows.Count > 0) return false;
            if (isRead) _isTurned = true;
            else _writtenLanes.UnionWith(Enumerable.Range(0, Lanes));
            return true;
        }
        var count = (isRead ? access.Width : access.Operands[1].Width) / 8;
        List<(int Lane, int Row)> places =
            [.. Enumerable.Range((int)offset, count).Select(at => (at % Lanes, at / Lanes))];
        if (places.Exists(place => _writtenLanes.Contains(place.Lane))) return false;
        if (!isRead)
        {
            _writtenLanes.UnionWith(places.Select(place => place.Lane));
            return true;
        }
        if (_isTurned || places.Exists(p => _rows.TryGetValue(p.Lane, out var row) && row != p.Row)) return false;
        foreach (var (lane, row) in places) _rows[lane] = row;
        return true;
    }

    /// <summary>Takes the ports that a read needs; false if one is taken.</summary>
    public bool TryRead(Operation read)
    {
        var at = read.Operands[0];
        if (read.State.Any(m => _written.Contains(m)
            || _readAt.TryGetValue(m, out var other) && !Constant.AreSame(other, at)))
            return false;
        foreach (var memory in read.State) _readAt[memory] = at;
        return true;
    }

    /// <summary>Takes the ports that a write needs; false if one is taken.</summary>
    public bool TryWrite(Operation write)
    {
        if (write.State.Any(_written.Contains)) return false;
        _written.UnionWith(write.State);
        return true;
    }
}
