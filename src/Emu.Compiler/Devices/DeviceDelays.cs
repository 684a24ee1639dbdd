namespace Emu.Compiler.Devices;

/// <summary>
/// The delays of a device's cells in picoseconds: fitted to static timing analysis of synthesised operations, but for
/// those that say otherwise.
/// </summary>
public sealed record DeviceDelays
{
    /// <summary>From the clock's edge to a flop's output, the clock's buffer included.</summary>
    public required double ClockToOutput { get; init; }

    /// <summary>The time by which the first LUT of a path is slower than the others: its fast inputs are few.</summary>
    public required double FirstLut { get; init; }

    /// <summary>From a flop's input to the clock's edge. From the cells' description, not fitted.</summary>
    public required double Setup { get; init; }

    /// <summary>The time by which the edges of the clock may differ. An assumption.</summary>
    public required double ClockUncertainty { get; init; }

    /// <summary>A LUT behind others.</summary>
    public required double Lut { get; init; }

    /// <summary>
    /// The wiring behind a LUT, a carry chain or a block. An assumption: nothing is placed, and wires may take longer
    /// than all the logic.
    /// </summary>
    public required double Routing { get; init; }

    /// <summary>Into a carry chain, through its first cell and out again, without the LUT before it.</summary>
    public required double Carry { get; init; }

    /// <summary>A carry cell behind the first.</summary>
    public required double CarryCell { get; init; }

    /// <summary>From the address to the word of a RAM in LUTs, up to the words of one LUT.</summary>
    public required double LutRam { get; init; }

    /// <summary>From the clock's edge to the word of a block RAM. From the cells' description, not fitted.</summary>
    public required double BlockRam { get; init; }

    /// <summary>Through a multiplier block.</summary>
    public required double Multiplier { get; init; }

    /// <summary>Through each multiplier block behind the first.</summary>
    public required double MultiplierCascade { get; init; }

    /// <summary>The delays of a device on which all take another time by the same factor.</summary>
    public DeviceDelays Scaled(double factor) => new()
    {
        ClockToOutput = factor * ClockToOutput,
        FirstLut = factor * FirstLut,
        Setup = factor * Setup,
        ClockUncertainty = factor * ClockUncertainty,
        Lut = factor * Lut,
        Routing = factor * Routing,
        Carry = factor * Carry,
        CarryCell = factor * CarryCell,
        LutRam = factor * LutRam,
        BlockRam = factor * BlockRam,
        Multiplier = factor * Multiplier,
        MultiplierCascade = factor * MultiplierCascade,
    };
}
