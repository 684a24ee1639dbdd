using Emu.Compiler.IR;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Engines;

/// <summary>
/// The calls of procedures, of which the engine has one copy each: a flop keeps from which place it was called last,
/// and so where the program goes on when it ends.
/// </summary>
/// <remarks>
/// A procedure does not call itself, so one place a procedure is enough, as for the activation records of Fortran
/// (Aho, Lam, Sethi and Ullman 2006, §7.1). What the caller goes on with stays in its flops: no state of the
/// procedure writes these.
/// </remarks>
internal sealed class EngineCalls
{
    private readonly Netlist _n;
    private readonly EngineProgram _program;
    private readonly Dictionary<Block, Function> _procedures = [];
    private readonly Dictionary<Function, Dictionary<EngineState, List<Value>>> _calls = [];
    private readonly KeyedLists<Function, Value> _ends = new();

    /// <summary>Begins without calls.</summary>
    public EngineCalls(EngineDesign design, EngineProgram program)
    {
        (_n, _program) = (design.Netlist, program);
        foreach (var procedure in design.Compilation.Procedures)
            foreach (var block in procedure.Blocks()) _procedures[block] = procedure;
    }

    /// <summary>Begins a procedure, behind which the program goes on with a state.</summary>
    public void Call(Function procedure, Value condition, EngineState next)
    {
        if (!_calls.TryGetValue(procedure, out var places)) _calls[procedure] = places = [];
        if (!places.TryGetValue(next, out var conditions)) places[next] = conditions = [];
        conditions.Add(condition);
        _program.AddTransition(condition, _program.StateAt(procedure.Entry, 0));
    }

    /// <summary>A block of a procedure ends it.</summary>
    public void GoBack(Block block, Value condition) => _ends.Add(_procedures[block], condition);

    /// <summary>Connects the flops, when all calls are known.</summary>
    public void Build()
    {
        foreach (var (procedure, places) in _calls)
        {
            var ends = _n.ReduceOr(_ends[procedure]);
            if (places.Count == 1)
            {
                _program.AddTransition(ends, places.Keys.Single());
                continue;
            }
            _program.Continue();
            var width = Interval.Of((UInt128)places.Count - 1).Width;
            var caller = _n.AddFlop(
                $"caller_of_{Netlist.SnakeCase(procedure.Name)}", width, 0, $"the call of {procedure.Name}");
            var calls = places.Values.Select((conditions, i) =>
                (_n.ReduceOr(conditions), (Value)new Constant(width, (UInt128)i))).ToList();
            caller.Next = _n.SelectOneHot(width, calls);
            caller.Enable = _n.ReduceOr(calls.Select(call => call.Item1));
            foreach (var (i, next) in places.Keys.Index())
                _program.AddTransition(_n.And(ends, _n.Equal(caller, new Constant(width, (UInt128)i))), next);
        }
    }
}
