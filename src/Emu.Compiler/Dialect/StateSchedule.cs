using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;

namespace Emu.Compiler.Dialect;

/// <summary>
/// Cuts a function into states: each does what the clock has time for, with one access to each memory. The rules are
/// those of an engine, in C#.
/// </summary>
internal sealed class StateSchedule
{
    private readonly Dictionary<StateKey, ProgramState> _states = [];
    private readonly Queue<ProgramState> _waiting = new();
    private readonly Dictionary<Block, int> _order;
    private readonly HashSet<Block> _headers;

    /// <summary>Schedules a function.</summary>
    public StateSchedule(Function function, HardwareOptions options)
    {
        Options = options;
        _order = function.Blocks().Index().ToDictionary(entry => entry.Item, entry => entry.Index);
        _headers = [.. Loop.All(function).Select(loop => loop.Header)];
        StateAt(new StateKey(function.Entry, 0, false));
        while (_waiting.TryDequeue(out var state)) new StateScheduler(this, state).Run();
    }

    /// <summary>The device, whose clock says how much a state has time for.</summary>
    public HardwareOptions Options { get; }

    /// <summary>The states in the order of the function.</summary>
    public IReadOnlyList<ProgramState> States =>
        [.. _states.Values.OrderBy(s => _order[s.Key.Block]).ThenBy(s => s.Key.Index).ThenBy(s => s.Key.HasOffset)];

    /// <summary>The place of a block in the function.</summary>
    public int OrderOf(Block block) => _order[block];

    /// <summary>True if a state begins at a block: at a loop's header, or where several states lead.</summary>
    public bool BeginsState(Block block) =>
        _headers.Contains(block) || _states.ContainsKey(new StateKey(block, 0, false));

    /// <summary>The state that begins at a place; made when it is asked for first.</summary>
    public ProgramState StateAt(StateKey key)
    {
        if (_states.TryGetValue(key, out var known)) return known;
        var state = _states[key] = new ProgramState(key, _states.Count);
        _waiting.Enqueue(state);
        return state;
    }

    /// <summary>The state that begins with a block.</summary>
    public ProgramState StateOf(Block block) => StateAt(new StateKey(block, 0, false));
}
