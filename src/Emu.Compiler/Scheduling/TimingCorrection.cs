using Emu.Compiler.Devices;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>
/// Makes the gates of a finished circuit anew where a path through them is longer than a cycle, so that what comes late
/// passes few of them. A circuit that keeps to the budget stays as it is.
/// </summary>
/// <remarks>
/// A row of gates of one kind, or of choices, becomes a tree, in which what comes late is last: tree-height reduction
/// (Baer and Bovet 1968). What depends on a late bit otherwise is computed for both values of that bit, which selects
/// between them: the generalised select transform (Berman, Hathaway, LaPaugh and Trevillyan 1990, <em>Efficient
/// techniques for timing correction</em>).
/// </remarks>
internal sealed class TimingCorrection
{
    /// <summary>Each time one place of a path is made anew.</summary>
    private const int MostTimes = 64;

    /// <summary>
    /// The operations that are computed for both values of a late bit, and those of a path from it to what it selects.
    /// </summary>
    private const int MostOperations = 128, MostInRow = 32;

    private readonly Netlist _n;
    private readonly Device _device;
    private readonly StaticTiming _timing;
    private readonly Substitution _replaced;
    private readonly NodeTable<Value, Value> _shorter = new();
    private readonly Dictionary<Value, Value> _rebuilt = new(ReferenceEqualityComparer.Instance);
    private readonly NodeTable<Operation, double> _levels = new();
    private readonly PostOrder _order;

    private TimingCorrection(Netlist netlist, Device device, StaticTiming timing, Substitution replaced)
    {
        (_n, _device, _timing, _replaced) = (netlist, device, timing, replaced);
        _order = new PostOrder(value => value is not Operation, Below, _ => { }, Rebuild);
    }

    /// <summary>Corrects a circuit.</summary>
    /// <param name="netlist">The circuit, whole.</param>
    /// <param name="device">The device whose cells it is made of.</param>
    /// <param name="levels">The levels to which it is to keep.</param>
    /// <returns>The times of what it is now.</returns>
    public static StaticTiming Run(Netlist netlist, Device device, int levels)
    {
        var replaced = new Substitution();
        var timing = new StaticTiming(netlist.Design, device);
        for (var time = 0; time < MostTimes && timing.Longest > levels; time++)
        {
            var correction = new TimingCorrection(netlist, device, timing, replaced);
            foreach (var (end, _) in timing.Ends.Where(end => timing.LevelsOf(end.Value) > levels))
            {
                if (timing.PathTo(end) is var path && correction.LevelsBesideGates(path) < levels)
                    correction.Shorten(path);
            }
            if (correction._shorter.Count == 0) break;
            correction.Apply();
            timing = new StaticTiming(netlist.Design, device, replaced);
        }
        return timing;
    }

    /// <summary>The levels that a path has whatever becomes of its gates.</summary>
    private double LevelsBesideGates(IReadOnlyList<Value> path) => Enumerable.Range(1, path.Count - 1)
        .Where(i => !IsGate(path[i])).Sum(i => _timing.LevelsOf(path[i]) - _timing.LevelsOf(path[i - 1]));

    /// <summary>Makes anew what gains most of a path, if anything does.</summary>
    private void Shorten(IReadOnlyList<Value> path)
    {
        if (path.Any(_shorter.ContainsKey)) return;
        (Value Old, Value New, double Gain)? best = null;
        for (var last = path.Count - 1; last > 0; last--)
        {
            if (path[last] is not Operation gate) continue;
            _n.Location = gate.Location;
            foreach (var made in Alternatives(path, last))
            {
                var gain = LevelsOf(gate) - LevelsOf(made);
                if (gain > (best?.Gain ?? 0)) best = (gate, made, gain);
            }
        }
        if (best is var (old, shorter, _)) _shorter[old] = shorter;
    }

    /// <summary>Other ways to compute a value of a path.</summary>
    private IEnumerable<Value> Alternatives(IReadOnlyList<Value> path, int last)
    {
        if (!IsGate(path[last])) yield break;
        if ((Tree(path, last) ?? Choices(path, last)) is { } tree) yield return tree;
        if (last + 1 < path.Count && IsGate(path[last + 1])) yield break; // what ends the row has them, too
        for (var late = last - 1; late >= Math.Max(0, last - MostInRow) && IsFollowed(path[late + 1]); late--)
        {
            if (path[late] is Constant || path[late].Width != 1) continue;
            var (then, @else) = (Cofactor(path[last], path[late], true), Cofactor(path[last], path[late], false));
            yield return _n.Select(path[late], then, @else);
        }
    }

    private static bool IsGate(Value value) =>
        value is Wire or Operation { Opcode: Opcode.And or Opcode.Or or Opcode.Xor or Opcode.Select };

    /// <summary>
    /// True if a value may be computed for both values of a bit: bits that change places cost nothing, and a comparison
    /// of what a late bit selects is one of each of the two.
    /// </summary>
    private static bool IsFollowed(Value value) => IsGate(value)
        || value is Operation { Opcode: Opcode.Extract or Opcode.Concat or Opcode.Equal or Opcode.LessUnsigned };

    /// <summary>
    /// The row of equal gates on a path that ends with one, as a tree in which what is known early is joined first.
    /// </summary>
    private Value? Tree(IReadOnlyList<Value> path, int last)
    {
        if (path[last] is not Operation { Opcode: Opcode.And or Opcode.Or } gate) return null;
        var leaves = new PriorityQueue<Value, double>();
        var first = last;
        while (first > 0 && path[first - 1] is Operation before && before.Opcode == gate.Opcode) first--;
        if (first == last) return null;
        for (var i = first; i <= last; i++)
        {
            foreach (var operand in ((Operation)path[i]).Operands)
                if (i == first || operand != path[i - 1]) leaves.Enqueue(operand, LevelsOf(operand));
        }
        while (leaves.Count > 1)
        {
            var joined = _n.Make(gate.Opcode, gate.Width, leaves.Dequeue(), leaves.Dequeue());
            leaves.Enqueue(joined, LevelsOf(joined));
        }
        return leaves.Dequeue();
    }

    /// <summary>
    /// The row of choices on a path that ends with one, each made where those behind it are not, as a tree of choices.
    /// </summary>
    private Value? Choices(IReadOnlyList<Value> path, int last)
    {
        var (conditions, values) = (new List<Value>(), new List<Value>());
        for (var i = last; i > 0 && path[i] is Operation { Opcode: Opcode.Select, Operands: var operands }; i--)
        {
            conditions.Add(operands[0]);
            values.Add(operands[1]);
            if (operands[2] == path[i - 1] && path[i - 1] is Operation { Opcode: Opcode.Select }) continue;
            values.Add(operands[2]);
            break;
        }
        return conditions.Count > 1 ? Chosen(0, values.Count) : null;

        Value Chosen(int from, int end)
        {
            if (end - from == 1) return values[from];
            var middle = (from + end) / 2;
            return _n.Select(
                _n.ReduceOr(conditions[from..middle]), Chosen(from, middle), Chosen(middle, end));
        }
    }

    /// <summary>A value where a bit that it is computed from by gates has a value.</summary>
    private Value Cofactor(Value value, Value late, bool holds)
    {
        var made = new Dictionary<Value, Value>(ReferenceEqualityComparer.Instance)
        {
            [late] = FoldingBuilder.Bit(holds),
        };
        var least = _timing.LevelsOf(late);
        Value Of(Value gate)
        {
            if (made.TryGetValue(gate, out var known)) return known;
            // What is known before it does not depend on it; what is not followed may, and is right for either value.
            if (!IsFollowed(gate) || _timing.LevelsOf(gate) <= least || made.Count > MostOperations) return gate;
            return made[gate] = gate is Wire wire
                ? Of(wire.Source)
                : Made((Operation)gate, ((Operation)gate).Operands.Select(Of));
        }
        return Of(value);
    }

    /// <summary>The levels before a value that is in the circuit, or may be.</summary>
    private double LevelsOf(Value value)
    {
        if (value is not Operation operation || _timing.Has(operation)) return _timing.LevelsOf(value);
        if (_levels.TryGetValue(operation, out var known)) return known;
        var (path, operands) = LogicLevels.WithOperands(operation, _device);
        return _levels[operation] = operands.Max(LevelsOf) + path.Levels;
    }

    /// <summary>Has all of the circuit use what was made.</summary>
    private void Apply()
    {
        foreach (var item in _n.Design.Sections.SelectMany(section => section.Items))
        {
            switch (item)
            {
                case Flop flop:
                    (flop.Next, flop.Enable) = (New(flop.Next), NewOrNone(flop.Enable));
                    flop.Clear = NewOrNone(flop.Clear);
                    break;
                case Wire wire:
                    wire.Source = New(wire.Source);
                    break;
                case RamRead read:
                    (read.Address, read.Enable) = (New(read.Address), NewOrNone(read.Enable));
                    break;
                case Ram { Write: { } write } ram:
                    ram.Write = new RamWrite(New(write.Address), New(write.Data), New(write.Enable));
                    break;
                case CoreInstance core:
                    (core.Valid, core.Clear) = (New(core.Valid), New(core.Clear));
                    core.Operands = [.. core.Operands.Select(New)];
                    break;
            }
        }
        foreach (var (old, made) in _rebuilt) _replaced.Add(old, made);
        // Of two equal operations one is made, so what took another's place before may be in its own again.
        foreach (var made in _rebuilt.Values) _replaced.Remove(made);
    }

    private Value? NewOrNone(Value? value) => value is null ? null : New(value);

    private Value New(Value value)
    {
        _order.Visit(value);
        return _rebuilt.GetValueOrDefault(value, value);
    }

    /// <summary>The values of which the one that is to take the place of another is made.</summary>
    private List<Value> Below(Value value) =>
        _shorter.TryGetValue(value, out var shorter) ? [shorter] : ((Operation)value).Operands;

    private void Rebuild(Value value)
    {
        var operation = (Operation)value;
        var below = Below(value).Select(operand => _rebuilt.GetValueOrDefault(operand, operand)).ToList();
        if (_shorter.ContainsKey(value)) _rebuilt[value] = below[0];
        else if (!below.SequenceEqual(operation.Operands, ReferenceEqualityComparer.Instance))
            _rebuilt[value] = Made(operation, below);
    }

    private Value Made(Operation operation, IEnumerable<Value> operands) =>
        _n.Make(new Operation(operation.Opcode, operation.Width, operands)
        {
            Low = operation.Low,
            Location = operation.Location,
        });
}
