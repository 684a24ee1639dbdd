using Emu.Clocked;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Frontend;
using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Clocked;

/// <summary>Makes a circuit of the cycles of a program: each is done while its thread is in its state.</summary>
internal sealed class CircuitBuilder
{
    private readonly Netlist _n;
    private readonly Ranges _ranges;
    private readonly IReadOnlyDictionary<Register, ClockedPort> _outputs;
    private readonly RegisterBank _registers;
    private readonly IReadOnlySet<ThreadCycles> _oneHot;
    private readonly List<ActiveCycle> _cycles = [];

    public CircuitBuilder(
        ClockedProgram program, ClockPorts clock, Ranges ranges,
        IReadOnlyDictionary<Register, ClockedPort> inputs,
        IReadOnlyDictionary<Register, ClockedPort> outputs, SharedContext shared, ElaboratedState state,
        IReadOnlySet<ThreadCycles> oneHot)
    {
        _n = new Netlist(new Design(program.Name)
        {
            Clock = clock,
            Description = [$"{program.Name}: C# of the clock level, a cycle for each pause"],
        });
        (_ranges, _outputs, _oneHot) = (ranges, outputs, oneHot);
        foreach (var port in program.Ports.Where(port => port.IsInput)) _n.Input(port.Name, port.Width);
        foreach (var (register, parameter) in inputs.Where(input => program.Parameters.Contains(input.Value)))
            _n.Parameter(parameter.Name, parameter.Width, register.Reset);
        _registers = new RegisterBank(_n, ranges, inputs, new Arbitration(_n, shared, state));
    }

    /// <summary>Builds the circuit.</summary>
    public Design Build(IReadOnlyList<ThreadCycles> threads)
    {
        foreach (var register in _outputs.Keys) _ = _registers.Contents(register);
        var written = ConstantState.Written(threads.SelectMany(thread => thread.Cycles.Values));
        for (var i = 0; i < threads.Count; i++) Add(threads[i], i);
        var memories = new MemoryBank(_n, _ranges, written, _cycles);
        _registers.Finish(memories.Words);
        _n.Begin("two writers");
        foreach (var (register, condition, location) in _registers.Conflicts)
            Forbid(register.Name, condition, location);
        foreach (var (memory, condition) in memories.Conflicts) Forbid($"an element of {memory.Name}", condition, null);
        foreach (var (register, port) in _outputs)
            _n.Output(port.Name, _n.Resize(_registers.Contents(register), port.Width));
        Order(_n.Design);
        DesignVerifier.Verify(_n.Design);
        return _n.Design;
    }

    /// <summary>
    /// Two threads that write one variable in every cycle are an error; where it depends on the cycle, simulations
    /// report it.
    /// </summary>
    private void Forbid(string variable, Value condition, SourceLocation? location)
    {
        var text = $"two threads write {variable}; let one own it, and ask by a handshake";
        if (Constant.Is(condition, 1))
            throw new CompileException(DiagnosticNumber.TwoWriters, $"in every cycle {text}", location);
        _n.Display(condition, [new LiteralText($"EMU{DiagnosticNumber.TwoWriters:D4}: {text}\n")], []);
    }

    private void Add(ThreadCycles thread, int number)
    {
        var code = _oneHot.Contains(thread) && !(thread.Cycles.Count == 1 && IsConstant(thread))
            ? new OneHotState(_n, thread)
            : null;
        foreach (var (state, cycle) in thread.Cycles)
        {
            var location = thread.Thread.LocationOf(state);
            _n.Begin($"{thread.Thread.Name}, state {state}{(location is null ? "" : $": {location.Own}")}");
            var isActive = thread.Cycles.Count == 1 && IsConstant(thread)
                ? FoldingBuilder.Bit(true)
                : code?.IsIn(state) ?? _n.AddWire(
                    $"{thread.Thread.Name}_is_{state}",
                    _n.Equal(
                        _registers.Contents(thread.State), new Constant(thread.State.Width, (UInt128)state)));
            var flow = new Dataflow(_n, cycle, new ClockedSource(_registers.Contents));
            _cycles.Add(new ActiveCycle(number, isActive, flow));
            foreach (var (print, condition, values) in flow.Prints)
                _n.Display(_n.And(isActive, condition), print.Text, values);
            code?.Leave(state, flow.Updates.Where(update => update.Register == thread.State).Select(u => u.Update));
            foreach (var (register, update) in flow.Updates.Where(u => code is null || u.Register != thread.State))
                _registers.Write(register, number, _n.And(isActive, update.Condition), update.Value, update.Location);
        }
        code?.Finish();
    }

    /// <summary>True if a thread is always in one state.</summary>
    private bool IsConstant(ThreadCycles thread) => _ranges.Of(thread.State).IsOne;

    /// <summary>Ports of a module are in the order of the program; sections without anything in them go.</summary>
    private static void Order(Design design) => design.Sections.RemoveAll(section => section.Items.Count == 0);
}
