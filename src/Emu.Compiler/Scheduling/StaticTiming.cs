using Emu.Compiler.Devices;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>
/// Static timing analysis of a finished circuit, before synthesis: how many levels of logic lie between flops, RAMs and
/// pins, on every path there is, whatever the program does with it.
/// </summary>
/// <remarks>
/// A LUT or a wide multiplexer is a level, a carry cell behind the first a quarter; a multiplier block stands for the
/// levels that pass in its time, or for half of them where its own registers take the product. The time is that of the
/// same cells, with the wiring that the device assumes. The model is what Yosys makes for 7-series devices, operation
/// by operation.
/// </remarks>
internal sealed class StaticTiming
{
    /// <summary>All levels are multiples of a twentieth.</summary>
    private const int Digits = 2;

    /// <summary>The part of a multiplier block in front of the register in its middle, and that behind it.</summary>
    private const double HalfOfBlock = 0.5;

    private readonly NodeTable<Value, (double Levels, Value? From)> _arrivals = new();
    private readonly Lazy<NodeTable<Value, double>> _picoseconds;
    private readonly Device _device;
    private readonly Substitution? _replaced;

    /// <summary>Analyses a circuit.</summary>
    /// <param name="design">Whole: every wire that is declared has its source.</param>
    /// <param name="device">The device whose cells it is made of.</param>
    /// <param name="replaced">Values that were in the circuit, by those that took their places.</param>
    public StaticTiming(Design design, Device device, Substitution? replaced = null)
    {
        (_device, _replaced) = (device, replaced);
        var order = new CombinationalOrder();
        foreach (var root in design.Sections.SelectMany(s => s.Items).SelectMany(DesignVerifier.Roots)) order.Add(root);
        foreach (var part in design.Outputs.SelectMany(o => o.Parts)) order.Add(part);
        var registered = new RegisteredProducts(design, order.Values);
        (CellPath Path, IReadOnlyList<Value> Operands, double Share) PathOf(Value value)
        {
            var (path, operands) = LogicLevels.WithOperands(value, device);
            return (path, operands, path.IsOneBlock && registered.Contains(value) ? HalfOfBlock : 1);
        }
        foreach (var value in order.Values)
        {
            var (path, operands, share) = PathOf(value);
            _arrivals[value] = ArrivalTime(operands, share * path.Levels);
        }
        // A circuit is analysed many times while it is corrected, and only the last time for its picoseconds.
        _picoseconds = new(() =>
        {
            var times = new NodeTable<Value, double>(order.Values.Count);
            foreach (var value in order.Values)
            {
                var (path, operands, share) = PathOf(value);
                times[value] = operands.Select(operand => times.GetValueOrDefault(operand)).Append(0).Max()
                    + share * path.PicosecondsOn(device);
            }
            return times;
        });
        Ends =
        [
            .. design.Sections.SelectMany(section => section.Items.SelectMany(EndsOf).Select(end => (end, section))),
        ];
    }

    /// <summary>
    /// The values that flops and RAMs take at an edge, where paths end,
    /// each with the part of the circuit that it is in.
    /// </summary>
    public IReadOnlyList<(Value Value, Section Section)> Ends { get; }

    /// <summary>The levels of the longest path.</summary>
    public double Longest => Ends.Select(end => LevelsOf(end.Value)).Append(0).Max();

    /// <summary>The end of the longest path.</summary>
    public (Value Value, Section Section) LongestEnd => Ends.MaxBy(end => LevelsOf(end.Value));

    /// <summary>
    /// The levels before a value is there; 0 for what comes from flops and pins, and for values that are not in the
    /// circuit.
    /// </summary>
    public double LevelsOf(Value value) => _arrivals.TryGetValue(InCircuit(value), out var known) ? known.Levels : 0;

    /// <summary>The time before a value is there, in picoseconds behind the flops, with the wiring assumed.</summary>
    public double PicosecondsOf(Value value) =>
        _picoseconds.Value.GetValueOrDefault(InCircuit(value)) is var time && time > 0
            ? time + _device.Delays.FirstLut
            : 0;

    /// <summary>True if a value is in the circuit.</summary>
    public bool Has(Value value) => _arrivals.ContainsKey(value);

    /// <summary>The longest path to a value, from its start on: operations, wires and RAMs' words.</summary>
    public IReadOnlyList<Value> PathTo(Value value)
    {
        var path = new List<Value>();
        for (Value? at = value; at is not null && _arrivals.TryGetValue(at, out var known); at = known.From)
            path.Insert(0, at);
        return path;
    }

    /// <summary>
    /// The ends in an item. Wires and unregistered words have none: their sources are on the way to another end.
    /// </summary>
    private static IEnumerable<Value> EndsOf(IDesignItem item) => item switch
    {
        Wire or RamRead { IsRegistered: false } => [],
        // A flop that is set to its reset value has a pin for that.
        Flop { Next: Operation { Opcode: Opcode.Select, Operands: [var sets, Constant set, var next] } } flop
            when flop.Reset is not { } reset || reset == set.Bits =>
            flop.Enable is null ? [sets, next] : [sets, next, flop.Enable],
        _ => DesignVerifier.Roots(item),
    };

    private Value InCircuit(Value value) => _replaced?.Of(value) ?? value;

    private (double Levels, Value? From) ArrivalTime(IReadOnlyList<Value> operands, double levels)
    {
        (double Levels, Value? From) latest = (0, null);
        foreach (var operand in operands)
        {
            var known = LevelsOf(operand);
            if (latest.From is null || known > latest.Levels) latest = (known, operand);
        }
        return latest.From is null ? latest : (Math.Round(latest.Levels + levels, Digits), latest.From);
    }
}
