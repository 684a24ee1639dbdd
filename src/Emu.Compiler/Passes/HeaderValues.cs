using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Says which values follow from the header alone: the bytes do not wait for a word of state, nor for what comes of
/// others that pass. Or from what is known of a frame when other loops over its bytes are done, without state that
/// frames share: then its bytes may be gone over a second time.
/// </summary>
/// <param name="waysTo">The values that a phi joins, each with the block that it comes from.</param>
/// <param name="written">The state that frames share, if values may come of tables and other loops.</param>
internal sealed class HeaderValues(
    Func<Phi, IEnumerable<(Value Value, Block From)>> waysTo, IReadOnlySet<StateElement>? written = null)
{
    private readonly Dictionary<Value, bool> _known = new(ReferenceEqualityComparer.Instance);

    /// <summary>True if a value follows from what is known.</summary>
    public bool Has(Value value)
    {
        if (IsKnown(value)) return true;
        // What has been taken for known while another was asked for may depend on that.
        foreach (var (other, isKnown) in _known.ToList()) if (isKnown) _known.Remove(other);
        return false;
    }

    private bool IsKnown(Value value)
    {
        if (_known.TryGetValue(value, out var known)) return known;
        // What is asked for again meanwhile comes of a loop: of one that is done before, or is deferred itself.
        _known[value] = written is not null;
        return _known[value] = value switch
        {
            Operation { State.Count: > 0 } read when written?.Overlaps(read.State) != false => false,
            Operation { Opcode: Opcode.FrameFold } when written is null => false,
            Operation { Opcode: Opcode.FrameSum } sum when written is null && sum.Operands[1] is not Constant => false,
            Operation operation => operation.Operands.TrueForAll(IsKnown),
            Phi phi => waysTo(phi).ToList() is var ways && ways.TrueForAll(way => IsKnown(way.Value))
                && (ways.TrueForAll(way => Constant.AreSame(way.Value, ways[0].Value)) || ways.TrueForAll(way =>
                    way.From.Terminator is not Branch branch || IsKnown(branch.Condition))),
            _ => true,
        };
    }
}
