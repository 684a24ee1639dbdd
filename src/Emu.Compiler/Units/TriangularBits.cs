using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// The low bits of a part of the state, where a turn makes each of itself and of lower bits by exclusive or: bit by
/// bit a recurrence of its own, so that what several turns do to a bit is one exclusive or with what lower bits give.
/// </summary>
internal sealed class TriangularBits
{
    private readonly Netlist _n;
    private readonly Wire[] _wires;
    private readonly Value[] _first;
    private readonly Value[] _changes;

    /// <summary>Begins in front of the first turn of a group.</summary>
    /// <param name="n">The netlist in which they are made.</param>
    /// <param name="isFirst">1 if a frame's turns begin with the group's.</param>
    /// <param name="initial">The part in front of a frame's first turn.</param>
    /// <param name="bits">Their number.</param>
    public TriangularBits(Netlist n, Value isFirst, Value initial, int bits)
    {
        _n = n;
        _wires = [.. Enumerable.Range(0, bits).Select(_ => new Wire("fold_bit", FoldingBuilder.Zero(1)))];
        _first = [.. _wires.Select((wire, i) => n.Select(isFirst, n.Extract(initial, i, 1), wire))];
        _changes = [.. _wires.Select(_ => (Value)FoldingBuilder.Zero(1))];
    }

    /// <summary>Stand for the bits, the lowest first.</summary>
    public IReadOnlyList<Wire> Wires => _wires;

    /// <summary>The bits behind the turns so far, the lowest first.</summary>
    public IReadOnlyList<Value> Next => [.. _first.Zip(_changes, _n.Xor)];

    /// <summary>The same as a number.</summary>
    public Value Number => Next.Aggregate((low, high) => _n.Concat(high, low));

    /// <summary>Takes another turn; false if a bit is made otherwise.</summary>
    /// <param name="isTaken">1 if the turn is one of the loop's.</param>
    /// <param name="dependence">The values that are computed of the part in front of it.</param>
    /// <param name="next">The part behind it.</param>
    public bool TryTake(Value isTaken, Dependence dependence, Value next)
    {
        var (n, before) = (_n, Next);
        var lower = (Value?)null;
        for (var i = 0; i < _wires.Length; i++)
        {
            var none = FoldingBuilder.Zero(1);
            var own = lower is null ? none : n.Concat(none, lower);
            if (new BitParity(dependence, i).Of(next, i) != 1) return false;
            if (new TriangularMap(n, dependence, own).Of(next, i + 1) is not { } made) return false;
            _changes[i] = n.Xor(_changes[i], n.And(isTaken, n.Extract(made, i, 1)));
            lower = lower is null ? before[i] : n.Concat(before[i], lower);
        }
        return true;
    }

    /// <summary>The share of a bit of the state in bits of what is computed of it.</summary>
    private sealed class BitParity(Dependence dependence, int own)
    {
        private readonly Dictionary<(Value, int), int?> _known = [];

        /// <summary>
        /// 1 if a bit of a value is the state's bit with something else by exclusive or, where that is made of lower
        /// bits; 0 if it is made without that bit; null if it is made otherwise.
        /// </summary>
        public int? Of(Value value, int bit)
        {
            if (value == dependence.State) return bit == own ? 1 : 0;
            if (!dependence.Has(value)) return 0;
            if (_known.TryGetValue((value, bit), out var known)) return known;
            return _known[(value, bit)] = OfOperation((Operation)value, bit);
        }

        private int? OfOperation(Operation operation, int bit)
        {
            var o = operation.Operands;
            return operation.Opcode switch
            {
                Opcode.Add or Opcode.Subtract or Opcode.Xor => Of(o[0], bit) ^ Of(o[1], bit),
                Opcode.Extract => operation.Low == 0 ? Of(o[0], bit) : null,
                Opcode.ZeroExtend or Opcode.Truncate => bit < o[0].Width ? Of(o[0], bit) : 0,
                Opcode.Concat => bit < o[1].Width ? Of(o[1], bit) : Of(o[0], bit - o[1].Width),
                Opcode.Select => !dependence.Has(o[0]) && Of(o[1], bit) is var one && Of(o[2], bit) == one ? one : null,
                _ => null,
            };
        }
    }
}
