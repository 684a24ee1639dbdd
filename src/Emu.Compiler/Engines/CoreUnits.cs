using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Engines;

/// <summary>
/// The cores that a program calls, an instance of each for all places: the program waits for the results.
/// </summary>
internal sealed class CoreUnits(EngineDesign design)
{
    private readonly Netlist _n = design.Netlist;
    private readonly Dictionary<VerilogCore, Unit> _units = [];

    /// <summary>A call of a core: when, with what, and the state in which the program goes on.</summary>
    private sealed record Request(Value Condition, IReadOnlyList<Value> Operands, EngineState Next);

    /// <summary>An instance, with the results of the last call and all calls.</summary>
    private sealed record Unit(CoreInstance Instance, Flop Results, List<Request> Requests);

    /// <summary>The results of the last call of a core.</summary>
    public Value Results(VerilogCore core) => Of(core).Results;

    /// <summary>Calls a core; the results are there in a state, which begins then.</summary>
    public void Call(VerilogCore core, Value condition, IReadOnlyList<Value> operands, EngineState next) =>
        Of(core).Requests.Add(new Request(condition, operands, next));

    /// <summary>Makes them, when all calls are known.</summary>
    public void Build()
    {
        foreach (var (core, unit) in _units) Build(core, unit);
    }

    /// <summary>Connects the bit that is 1 while state is set to what the constructor left.</summary>
    public void ClearBy(Value clears)
    {
        foreach (var unit in _units.Values) unit.Instance.Clear = clears;
    }

    private Unit Of(VerilogCore core)
    {
        if (_units.TryGetValue(core, out var known)) return known;
        _n.Begin($"{core.Name}: a module of its own");
        var instance = design.Part?.Cores.GetValueOrDefault(core) ?? _n.AddCore(core);
        return _units[core] = new Unit(instance, _n.AddFlop($"{instance.Name}_results", core.Width, 0), []);
    }

    private void Build(VerilogCore core, Unit unit)
    {
        var (n, instance) = (_n, unit.Instance);
        n.Begin($"{core.Name}: when it is called");
        var calls = n.ReduceOr(unit.Requests.Select(r => r.Condition));
        var valid = n.Registered($"{instance.Name}_valid", calls, 0);
        n.Call(
            instance, valid,
            [
                .. core.Inputs.Select((port, i) => n.Registered(
                    $"{instance.Name}_{port.Name}",
                    n.SelectOneHot(port.Width, unit.Requests.Select(r => (r.Condition, r.Operands[i]))), 0, calls)),
            ]);
        var done = core.HasHandshake ? n.Extract(instance, core.Width, 1) : valid;
        for (var cycle = 0; cycle < core.Latency; cycle++) done = n.Registered($"{instance.Name}_done", done, 0);
        (unit.Results.Next, unit.Results.Enable) = (n.Extract(instance, 0, core.Width), done);
        foreach (var (condition, _, next) in unit.Requests)
        {
            var resume = n.AddFlop($"{instance.Name}_resume", 1, 0, "this state waits for the results");
            resume.Next = n.Or(condition, n.And(resume, n.Not(done)));
            next.Active.Next = n.Or(next.Active.Next, n.And(resume, done));
        }
    }
}
