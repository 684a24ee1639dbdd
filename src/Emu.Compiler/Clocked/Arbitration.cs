using Emu.Compiler.Frontend;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Clocked;

/// <summary>
/// The time and the arbiters of a program: registers of its cycles that no flop of the program stands for. An arbiter
/// has a fixed priority: a thread is granted what no thread that was started before takes in the same cycle.
/// </summary>
internal sealed class Arbitration
{
    private const int TimePerCycle = 10;

    private readonly Netlist _n;
    private readonly SharedContext _shared;
    private readonly ElaboratedState _state;
    private readonly Dictionary<Register, Value> _contents = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Register, List<Value>> _taken = new(ReferenceEqualityComparer.Instance);

    public Arbitration(Netlist n, SharedContext shared, ElaboratedState state)
    {
        (_n, _shared, _state) = (n, shared, state);
        n.Begin("time and arbiters");
        if (shared.Time is { } time) _contents[state.Of(time)] = Time();
        foreach (var port in shared.Arbiters.SelectMany(ports => ports.Values))
        {
            _contents[state.Of(port.Grant)] = n.DeclareWire(port.Grant.Name, 1);
            _taken[state.Of(port.Taken)] = [];
        }
        Arbitrated = shared.Arbitrated.Select(state.Of).ToHashSet();
    }

    /// <summary>Registers that only one thread writes in a cycle.</summary>
    public IReadOnlySet<Register> Arbitrated { get; }

    /// <summary>The registers that the cycles only read.</summary>
    public static IEnumerable<Register> Read(SharedContext shared) =>
        shared.Arbiters.SelectMany(ports => ports.Values).Select(port => port.Grant)
            .Concat(shared.Time is { } time ? [time] : Array.Empty<Register>());

    /// <summary>The contents of such a register; null for one of the program.</summary>
    public Value? Contents(Register register) => _contents.GetValueOrDefault(register);

    /// <summary>Notes that a thread takes something; false for a register of the program.</summary>
    public bool TryWrite(Register register, Value condition, Value value)
    {
        if (!_taken.TryGetValue(register, out var all)) return false;
        all.Add(_n.And(condition, value));
        return true;
    }

    /// <summary>Grants what the threads before have not taken.</summary>
    public void Finish()
    {
        foreach (var ports in _shared.Arbiters)
        {
            Value isTaken = FoldingBuilder.Bit(false);
            foreach (var (grant, taken) in ports.Values.Select(port => (_state.Of(port.Grant), _state.Of(port.Taken))))
            {
                ((Wire)_contents[grant]).Source = _n.Not(isTaken);
                isTaken = _n.Or(isTaken, _n.ReduceOr(_taken[taken]));
            }
        }
    }

    private Flop Time()
    {
        var time = _n.AddFlop("time", 64, TimePerCycle, "Kiwi.tnow");
        time.Next = _n.Add(time, new Constant(64, TimePerCycle));
        return time;
    }
}
