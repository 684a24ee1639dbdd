using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>The values of which stages are made, besides operations and the flops between them.</summary>
internal interface IStageBuilder
{
    /// <summary>Makes a value with which the schedule begins, in its stage.</summary>
    Value Make(Value value, int stage);

    /// <summary>A value in front of the flops into a stage, which in most is the one of the stage before.</summary>
    Value Into(int stage, Value before);

    /// <summary>The condition under which the flops into a stage take something; null for always.</summary>
    Value? Enable(int stage);

    /// <summary>The section in which the flops into a stage are declared.</summary>
    Section Section(int stage);
}

/// <summary>The values of a schedule in the circuit: each at any stage from its own on, by flops.</summary>
/// <param name="n">The netlist in which they are made.</param>
/// <param name="schedule">The stages.</param>
/// <param name="builder">Makes what is no operation.</param>
/// <param name="longestCarry">The bits of a sum up to which one carry is waited for.</param>
internal sealed class StageValues(
    Netlist n, StageSchedule schedule, IStageBuilder builder, int longestCarry = int.MaxValue)
{
    private readonly Dictionary<(Value, int), Value> _made = [];
    private readonly Dictionary<(Value, int), Flop> _delayed = [];
    private readonly Dictionary<Flop, (string Name, int Place)> _carried = [];
    private readonly KeyedLists<int, Operation> _operations = new();

    /// <summary>True if a flop only takes a value from one stage to the next.</summary>
    public bool IsStageFlop(Flop flop) => _carried.ContainsKey(flop);

    /// <summary>The operations made in a stage so far.</summary>
    public IReadOnlyList<Operation> Operations(int stage) => _operations[stage];

    /// <summary>The values of the circuit that a stage computes.</summary>
    public IEnumerable<Value> Made(int stage) =>
        _made.Where(made => made.Key.Item2 == stage).Select(made => made.Value);

    /// <summary>A value as it is in a stage, its own or a later one.</summary>
    public Value In(Value value, int stage)
    {
        value = schedule.Whole(value);
        if (value is Constant) return value;
        if (_made.TryGetValue((value, stage), out var known)) return known;
        var own = schedule.StageOf(value);
        if (stage < own) throw new InvalidOperationException($"a value of stage {own} is asked for in stage {stage}");
        return _made[(value, stage)] = stage > own ? Delayed(In(value, stage - 1), stage)
            : value is Operation operation ? Computed(operation, stage)
            : builder.Make(value, stage);
    }

    /// <summary>An operation that is done by a stage; with flops behind it where it begins earlier.</summary>
    private Value Computed(Operation operation, int stage)
    {
        var begins = stage - schedule.StagesFor(operation);
        _operations.Add(begins, operation);
        var operands = operation.Operands.Select(o => In(o, begins)).ToList();
        var result = operation.Opcode == Opcode.Extract
            ? n.BitsOf(operands[0], operation.Low, operation.Width)
            : CarrySelect.Make(
                n, new Operation(operation.Opcode, operation.Width, operands) { Location = operation.Location },
                longestCarry);
        _made[(operation, begins)] = result;
        for (var next = begins + 1; next <= stage; next++) result = Delayed(result, next);
        return result;
    }

    /// <summary>A value in the stage after the one that it is in.</summary>
    private Value Delayed(Value before, int stage)
    {
        if (before is Constant) return before;
        // Zeros and fields of others need no flops of their own.
        if (before is Operation { Opcode: Opcode.Concat } concat)
        {
            return FoldingBuilder.IsScattered(concat)
                ? DelayedBits(concat, stage)
                : n.Concat(Delayed(concat.Operands[0], stage), Delayed(concat.Operands[1], stage));
        }
        // Nor does the complement of what is kept: what uses it has a LUT that inverts.
        if (before is Operation { Opcode: Opcode.Xor, Operands: [var bits, Constant inverted] }
            && (before.Width == 1 || FoldingBuilder.IsScattered(bits) || _delayed.ContainsKey((bits, stage))))
            return n.Make(Opcode.Xor, before.Width, Delayed(bits, stage), inverted);
        if (_delayed.TryGetValue((before, stage), out var known)) return known;
        n.Continue(builder.Section(stage));
        n.Location = before switch
        {
            Operation operation => operation.Location,
            Flop carried => carried.Location,
            _ => null,
        };
        var (name, place) = before is Flop held && _carried.TryGetValue(held, out var carries)
            ? carries
            : NameOf(before);
        var flop = n.RegisteredPart(name, place, builder.Into(stage, before), builder.Enable(stage), stage);
        _carried[flop] = (name, place);
        return _delayed[(before, stage)] = flop;
    }

    /// <summary>Bits that only change places do so behind the flops, which are words then.</summary>
    private Value DelayedBits(Operation concat, int stage)
    {
        var parts = FoldingBuilder.PartsOf(concat);
        var bits = parts.OfType<Operation>().Where(part => part.Opcode == Opcode.Extract).ToList();
        var areWords =
            bits.Select(part => part.Operands[0]).Distinct().Sum(word => word.Width) <= bits.Sum(part => part.Width);
        return parts.Select(part => areWords && part is Operation { Opcode: Opcode.Extract } bit
            ? n.Extract(Delayed(bit.Operands[0], stage), bit.Low, bit.Width)
            : Delayed(part, stage)).Aggregate(n.Concat);
    }

    /// <summary>The name of a value in C#; of a word of a memory the memory's, of a register its own.</summary>
    private (string Name, int Place) NameOf(Value value)
    {
        var (name, place) = n.NameOf(value);
        var suffix = value switch
        {
            Flop => "_reg",
            RamRead => "_read",
            _ => "",
        };
        return (name.EndsWith(suffix, StringComparison.Ordinal) ? name[..^suffix.Length] : name, place);
    }
}
