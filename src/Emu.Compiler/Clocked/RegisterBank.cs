using Emu.Clocked;
using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Clocked;

/// <summary>The registers of a program as flops and inputs, and the writes of all threads to each.</summary>
/// <param name="n">The netlist.</param>
/// <param name="ranges">The numbers that each can hold: flops have the bits for these.</param>
/// <param name="inputs">The registers that are inputs or parameters.</param>
/// <param name="arbitration">The registers that no flop of the program stands for.</param>
internal sealed class RegisterBank(
    Netlist n, Ranges ranges, IReadOnlyDictionary<Register, ClockedPort> inputs, Arbitration arbitration)
{
    /// <summary>The bits from which on a pin of their own for a constant is fewer gates than choices are.</summary>
    private const int LeastCleared = 4;

    private readonly Section _section = n.Begin("registers");
    private readonly Dictionary<Register, Value> _contents = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Register, Flop> _flops = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Register, List<RegisterWrites>> _writes = new(ReferenceEqualityComparer.Instance);

    /// <summary>The registers that two threads write, with the condition under which both do.</summary>
    public List<(Register Register, Value Condition, SourceLocation? Location)> Conflicts { get; } = [];

    /// <summary>The contents of a register, as wide as it is in C#.</summary>
    public Value Contents(Register register)
    {
        if (_contents.TryGetValue(register, out var known)) return known;
        if (arbitration.Contents(register) is { } own) return own;
        if (inputs.TryGetValue(register, out var port))
        {
            var input = n.Design.Inputs.Concat(n.Design.Parameters).Single(i => i.Name == port.Name);
            return _contents[register] = n.Resize(new InputBits(input, 0, input.Width), register.Width);
        }
        n.Continue(_section);
        var flop = n.AddFlop(
            Netlist.SnakeCase(register.Name), ranges.Of(register).Width, register.Reset, register.Name);
        // A register that nothing writes keeps what the elaboration left in it.
        (_flops[register], flop.Next) = (flop, new Constant(flop.Width, register.Reset));
        return _contents[register] = n.Resize(flop, register.Width);
    }

    /// <summary>Notes a write of a thread.</summary>
    /// <param name="register">The register.</param>
    /// <param name="thread">The number of the thread: its writes are in different states.</param>
    /// <param name="condition">1 in the cycles in which it happens.</param>
    /// <param name="value">The value.</param>
    /// <param name="location">The C#.</param>
    public void Write(Register register, int thread, Value condition, Value value, SourceLocation? location)
    {
        if (arbitration.TryWrite(register, condition, value)) return;
        _ = Contents(register);
        if (!_writes.TryGetValue(register, out var all)) _writes[register] = all = [];
        if (all is not [.., { Thread: var last }] || last != thread) all.Add(new RegisterWrites(thread, location));
        all[^1].Choices.Add((condition, n.Resize(value, _flops[register].Width)));
    }

    /// <summary>Gives each flop what it takes at the edge.</summary>
    /// <param name="words">The words of memories that the writes depend on.</param>
    public void Finish(SharedWords words)
    {
        arbitration.Finish();
        foreach (var writes in _writes.Values.SelectMany(threads => threads))
        {
            for (var i = 0; i < writes.Choices.Count; i++)
                writes.Choices[i] = (writes.Choices[i].Condition, words.In(writes.Choices[i].Value));
        }
        foreach (var (register, threads) in _writes)
        {
            var flop = _flops[register];
            if (threads is [var only] && TryClear(flop, only)) continue;
            var (enable, next) = Joined(threads[0]);
            foreach (var other in threads.Skip(1))
            {
                var (mine, value) = Joined(other);
                if (!arbitration.Arbitrated.Contains(register))
                    Conflicts.Add((register, n.And(enable, mine), other.Location));
                (enable, next) = (n.Or(enable, mine), n.Select(mine, value, next));
            }
            (flop.Next, flop.Enable) = (next, enable);
            if (Constant.Is(enable, 1)) flop.Enable = null;
        }
    }

    /// <summary>The flop's pin for reset is taken where a thread writes what reset leaves, too.</summary>
    private bool TryClear(Flop flop, RegisterWrites writes)
    {
        if (flop.Width < LeastCleared) return false;
        var all = writes.Choices.SelectMany(choice => Parts(choice, flop.Reset!.Value)).ToList();
        var clears = all.Where(choice => Constant.Is(choice.Value, flop.Reset!.Value)).ToList();
        var others = all.Except(clears).ToList();
        if (clears.Count == 0 || others.Count == 0) return false;
        flop.Clear = n.ReduceOr(clears.Select(choice => choice.Condition));
        (flop.Enable, flop.Next) = Joined(writes with { Choices = others });
        return true;
    }

    /// <summary>A choice, or both sides of one in its value of which one is a constant.</summary>
    private IEnumerable<(Value Condition, Value Value)> Parts((Value Condition, Value Value) choice, UInt128 constant)
    {
        if (choice.Value is not Operation { Opcode: Opcode.Select, Operands: [var condition, var then, var other] }
            || !Constant.Is(then, constant) && !Constant.Is(other, constant))
            return [choice];
        return Parts((n.And(choice.Condition, condition), then), constant)
            .Concat(Parts((n.And(choice.Condition, n.Not(condition)), other), constant));
    }

    private (Value Enable, Value Next) Joined(RegisterWrites writes)
    {
        var enable = n.ReduceOr(writes.Choices.Select(choice => choice.Condition));
        return (enable, n.SelectEncoded(SplitChoices.Of(writes.Choices, n.And, n.Not)));
    }

    private sealed record RegisterWrites(int Thread, SourceLocation? Location)
    {
        public List<(Value Condition, Value Value)> Choices { get; init; } = [];
    }
}
