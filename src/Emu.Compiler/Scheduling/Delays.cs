using Emu.Compiler.Devices;
using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>
/// The levels of logic, in tenths, that a schedule keeps between flops and a value, before synthesis.
/// </summary>
/// <param name="device">The device, of which a level is as long as the others.</param>
/// <param name="isAsMade">
/// True if operations are planned as they are made, where carry cells are short: for a recurrence, of which each level
/// counts.
/// </param>
internal sealed class Delays(Device device, bool isAsMade = false)
{
    /// <summary>A level, in the unit of this class: tenths.</summary>
    public const int Level = OperatorTable.Level;

    /// <summary>A gate of two or three inputs: a level holds more than two that follow one another.</summary>
    public const int Gate = OperatorTable.Gate;

    private readonly Dictionary<Value, int> _arrivals = new(ReferenceEqualityComparer.Instance);

    /// <summary>
    /// Says when a value arrives that is not computed from its operands: a RAM's word,
    /// a wire whose source is not known yet.
    /// </summary>
    public void Set(Value value, int arrival) => _arrivals[value] = arrival;

    /// <summary>The tenths of levels before a value; 0 for constants, flops and inputs.</summary>
    public int Of(Value value)
    {
        if (_arrivals.TryGetValue(value, out var known)) return known;
        var arrival = value switch
        {
            Operation operation => AfterOperands(operation),
            Wire wire => Of(wire.Source),
            _ => 0,
        };
        return _arrivals[value] = arrival;
    }

    private int AfterOperands(Operation operation)
    {
        var (path, operands) = LogicLevels.WithOperands(operation, device);
        return operands.Max(Of) + (int)Math.Round(Level * path.Levels);
    }

    /// <summary>The tenths of levels that are planned for an operation behind its operands.</summary>
    public int LevelsOf(Operation operation) => isAsMade
        ? LevelsMadeOf(operation)
        : OperatorTable.Of(operation.Opcode).Planned(operation, device);

    /// <summary>The tenths of levels that an operation has in the circuit, where carry cells are short.</summary>
    public int LevelsMadeOf(Operation operation) =>
        (int)Math.Round(Level * LogicLevels.Of(operation, device).Levels);

    /// <summary>True if one multiplier block is all that an operation takes; it has a register in its middle.</summary>
    public bool IsOneBlock(Operation operation) => LogicLevels.Of(operation, device).IsOneBlock;

    /// <summary>The tenths of levels that are planned for a sum up to some of its bits.</summary>
    public int LevelsOfSum(int bits) => isAsMade
        ? (int)Math.Round(Level * OperatorTable.PathOfSum(bits, device).Levels)
        : OperatorTable.PlannedForSum(bits, device);

    /// <summary>The same with operations as they are made.</summary>
    public Delays AsMade() => new(device, isAsMade: true);
}
