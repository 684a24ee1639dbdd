using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Engines;

/// <summary>A state's use of the frame memory: bytes at one computed offset, or any at constant ones.</summary>
internal sealed class RegionFrame(EngineDesign design, EngineState state, RegionValues values)
{
    private readonly Netlist _n = design.Netlist;
    private readonly KeyedLists<int, (Value Condition, Value Value)> _written = new();
    private bool _hasRead, _hasWritten;

    /// <summary>Requests bytes, if they come later; they are there in the next state.</summary>
    public bool TryRequest(Operation operation)
    {
        var offset = values.Of(operation.Operands[0]);
        if (design.Frame.ReadCycles == 0 || IsFixed(operation) || !TryTakePort(offset)) return false;
        design.Frame.Read(state.Active, offset, operation.Width / 8, LaneOf(operation));
        return true;
    }

    /// <summary>The bytes that the state before requested.</summary>
    public Value Requested(Operation operation) =>
        Joined(design.Frame.Words(operation.Width / 8, LaneOf(operation)));

    /// <summary>Reads bytes, unless they would miss a write of this state, or the port is taken.</summary>
    public bool TryRead(Operation operation, Value condition)
    {
        var offset = values.Of(operation.Operands[0]);
        var count = operation.Width / 8;
        List<Value> bytes;
        if (IsFixed(operation))
        {
            if (_hasWritten) return false;
            bytes = [.. Enumerable.Range((int)((Constant)offset).Bits, count)
                .Select(i => values.Latest(_written[i], design.Frame.At(i)))];
        }
        else
        {
            if (design.Frame.ReadCycles > 0 || !TryTakePort(offset)) return false;
            bytes = design.Frame.Read(state.Active, offset, count, LaneOf(operation));
        }
        return values.Define(operation, Joined(bytes), condition);
    }

    /// <summary>Writes bytes, unless the port of one of their lanes is taken.</summary>
    public bool TryWrite(Operation operation, Value condition)
    {
        var offset = values.Of(operation.Operands[0]);
        var bytes = BytesOf(operation);
        if (offset is Constant at) return TryWriteFixed((int)at.Bits, bytes, condition);
        return !design.Frame.PostsWrites && TryWriteAt(operation, offset, bytes, condition);
    }

    /// <summary>
    /// Writes bytes at a computed offset, if that is done a cycle later; the next state is behind that.
    /// </summary>
    public bool TryPost(Operation operation, Value condition)
    {
        var offset = values.Of(operation.Operands[0]);
        return design.Frame.PostsWrites && offset is not Constant
            && TryWriteAt(operation, offset, BytesOf(operation), condition);
    }

    /// <summary>Connects the bytes that are written at constant offsets.</summary>
    public void Connect()
    {
        var lanes = design.Options.Lanes;
        foreach (var (offset, writes) in _written)
            design.Frame.Write(
                state.Active, _n.ReduceOr(writes.Select(w => w.Condition)), offset % lanes,
                new Constant(design.Frame.RowBits, (UInt128)(offset / lanes)),
                values.Latest(writes, FoldingBuilder.Zero(8)));
    }

    private bool TryWriteAt(Operation operation, Value offset, List<Value> bytes, Value condition)
    {
        if (_hasWritten || _written.Any() || design.Delays.Of(offset) > FrameMemory.OffsetArrival
            || IsLate(bytes, design.LatestBytes))
            return false;
        _hasWritten = true;
        design.Frame.Write(state.Active, condition, offset, bytes, LaneOf(operation));
        return true;
    }

    private bool IsLate(List<Value> bytes, int latest) => bytes.Exists(b => design.Delays.Of(b) > latest);

    /// <summary>The bytes that an operation writes, the first one first.</summary>
    private List<Value> BytesOf(Operation write)
    {
        var data = values.Of(write.Operands[1]);
        return [.. Enumerable.Range(1, data.Width / 8).Select(i => _n.Extract(data, data.Width - 8 * i, 8))];
    }

    private bool TryWriteFixed(int offset, List<Value> bytes, Value condition)
    {
        var lanes = design.Options.Lanes;
        List<int> places = [.. Enumerable.Range(offset, bytes.Count)];
        if (_hasWritten || IsLate(bytes, design.LatestWritten)
            || places.Exists(p => _written.Any(w => w.Key != p && w.Key % lanes == p % lanes)))
            return false;
        for (var i = 0; i < bytes.Count; i++) _written.Add(places[i], (condition, bytes[i]));
        return true;
    }

    /// <summary>The lane in which an access begins, by the program: a state may have its offset in a flop.</summary>
    private int? LaneOf(Operation operation) => design.Frame.LaneOf(operation.Operands[0]);

    private bool IsFixed(Operation operation) =>
        values.Of(operation.Operands[0]) is Constant at
        && (int)at.Bits + operation.Width / 8 <= design.Frame.FixedBytes;

    /// <summary>True if this state can read bytes at an offset. Once it does, it can read no others.</summary>
    private bool TryTakePort(Value offset)
    {
        if (_hasRead || _hasWritten || _written.Any() || design.Delays.Of(offset) > design.Frame.LatestOffset)
            return false;
        return _hasRead = true;
    }

    private Value Joined(List<Value> bytes) => bytes.Aggregate((high, low) => _n.Concat(high, low));
}
