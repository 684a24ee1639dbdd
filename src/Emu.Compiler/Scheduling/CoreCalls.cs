using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>The call of a core by an event: of several that exclude one another, whichever happens.</summary>
/// <param name="core">The core.</param>
/// <param name="results">Stands for its results.</param>
/// <param name="location">The C# of the first call.</param>
internal sealed class CoreCall(VerilogCore core, Wire results, SourceLocation? location)
{
    /// <summary>The core.</summary>
    public VerilogCore Core => core;

    /// <summary>Stands for its results.</summary>
    public Wire Results => results;

    /// <summary>The C# of the first call.</summary>
    public SourceLocation? Location => location;

    /// <summary>The condition under which there is a call.</summary>
    public required Value Condition { get; set; }

    /// <summary>The operands, in the order of the ports.</summary>
    public required IReadOnlyList<Value> Operands { get; set; }

    /// <summary>All that decides on the call. Without state a call too many does nothing.</summary>
    public IEnumerable<Value> Inputs => core.HasState ? Operands.Append(Condition) : Operands;
}

/// <summary>Gathers the calls of cores by an event.</summary>
/// <param name="n">The netlist in which values are made.</param>
/// <param name="paths">The paths of the function.</param>
internal sealed class CoreCalls(Netlist n, BlockPaths paths)
{
    private readonly List<CoreCall> _all = [];
    private readonly Dictionary<VerilogCore, (CoreCall Call, List<Block> Blocks)> _withState = [];
    private readonly Dictionary<Value, CoreCall> _ofResults = new(ReferenceEqualityComparer.Instance);

    /// <summary>The calls, one for each instance: a core with state has one, others have one for each call.</summary>
    public IReadOnlyList<CoreCall> All => _all;

    /// <summary>A core with state that an event may call twice; null if there is none.</summary>
    public CoreCall? Twice { get; private set; }

    /// <summary>The call whose results a value is; null if it is none.</summary>
    public CoreCall? Of(Value results) => _ofResults.GetValueOrDefault(results);

    /// <summary>Adds a call.</summary>
    /// <returns>Its results.</returns>
    public Value Add(Operation operation, Block block, Value condition, IReadOnlyList<Value> operands)
    {
        var core = (VerilogCore)operation.State[0];
        if (core.HasState && _withState.TryGetValue(core, out var known))
            return Join(known.Call, known.Blocks, block, condition, operands);
        var results = new Wire(Netlist.SnakeCase(core.Name), FoldingBuilder.Zero(core.Width));
        var call = new CoreCall(core, results, operation.Location) { Condition = condition, Operands = operands };
        _all.Add(call);
        _ofResults[results] = call;
        if (core.HasState) _withState[core] = (call, [block]);
        return results;
    }

    private Wire Join(CoreCall call, List<Block> blocks, Block block, Value condition, IReadOnlyList<Value> operands)
    {
        if (!blocks.TrueForAll(other => paths.Exclude(other, block))
            && !Constant.Is(n.And(call.Condition, condition), 0))
            Twice ??= call;
        blocks.Add(block);
        call.Operands = [.. call.Operands.Zip(operands, (so, here) => n.Select(condition, here, so))];
        call.Condition = n.Or(call.Condition, condition);
        return call.Results;
    }
}
