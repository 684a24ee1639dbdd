using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Clocked;

/// <summary>
/// A thread as a state machine: a state for each place behind a pause, a register for each value that is computed
/// before a pause and used behind it, or for several of which a state keeps one.
/// </summary>
internal sealed class ThreadStates
{
    private readonly Liveness _liveness;
    private readonly List<Block> _targets;
    private readonly IReadOnlyDictionary<Value, List<Value>> _classes;
    private readonly Dictionary<List<Value>, Register> _kept = new(ReferenceEqualityComparer.Instance);

    /// <summary>Of a thread.</summary>
    /// <param name="name">Its name, a Verilog identifier.</param>
    /// <param name="body">What it runs, from its first line on.</param>
    public ThreadStates(string name, Function body)
    {
        (Name, Body, _liveness) = (name, body, new Liveness(body));
        _targets = [.. body.Blocks().Select(b => b.Terminator).OfType<Pause>().Select(p => p.Target).Distinct()];
        _classes = RegisterCoalescing.Classes(body, _targets.Select(LiveAt));
        State = new Register($"{name}.state", BitOperations.Log2((uint)_targets.Count) + 1, 0);
    }

    /// <summary>Its name, a Verilog identifier.</summary>
    public string Name { get; }

    /// <summary>The method that it runs.</summary>
    public Function Body { get; }

    /// <summary>The number of the place where it goes on.</summary>
    public Register State { get; }

    /// <summary>The state of a thread that has ended.</summary>
    public int Ended => _targets.Count;

    /// <summary>The C# at which a state begins.</summary>
    public SourceLocation? LocationOf(int state) => state == Ended
        ? null
        : Body.Blocks().Select(b => b.Terminator).OfType<Pause>().First(p => p.Target == _targets[state]).Location;

    /// <summary>The part before the first pause.</summary>
    public Function Elaboration() => SegmentCopy.Of($"{Name}_elaboration", Body.Entry, this, element => element);

    /// <summary>The part that is done in a cycle that begins in a state.</summary>
    /// <param name="state">The state.</param>
    /// <param name="of">The registers and memories in place of those of the elaboration.</param>
    public Function Cycle(int state, Func<StateElement, StateElement> of) =>
        SegmentCopy.Of($"{Name}_{state}", _targets[state], this, of);

    /// <summary>The number of the state that begins at a block.</summary>
    public int NumberOf(Block target) => _targets.IndexOf(target);

    /// <summary>
    /// The values that live at the start of a state, its phis among them but for those that are constants there; of the
    /// entry, none.
    /// </summary>
    public IReadOnlyList<Value> LiveAt(Block target) => target == Body.Entry
        ? []
        : [.. target.Phis.Where(phi => ConstantAt(target, phi) is null), .. _liveness.AtStart(target)];

    /// <summary>
    /// The constant that a phi is at the start of a state, as the counter of a loop that begins there; null for none. A
    /// register that it shared with others would hide that.
    /// </summary>
    public static Constant? ConstantAt(Block target, Phi phi)
    {
        var brought = target.Predecessors.Index().Where(way => way.Item.Terminator is Pause)
            .Select(way => phi.Operands[way.Index]).ToList();
        return brought is [Constant first, ..] && brought.TrueForAll(value => Constant.AreSame(value, first))
            ? first
            : null;
    }

    /// <summary>The register that keeps a value.</summary>
    public Register RegisterOf(Value value)
    {
        var values = _classes[value];
        if (_kept.TryGetValue(values, out var known)) return known;
        var name = (value as Operation)?.Location?.Name ?? (value as Phi)?.Operands
            .OfType<Operation>().Select(o => o.Location?.Name).FirstOrDefault(n => n is not null) ?? "value";
        return _kept[values] = new Register($"{Name}.{Netlist.SnakeCase(name)}", value.Width, 0);
    }
}
