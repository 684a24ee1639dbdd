using Emu.Compiler.Devices;

namespace Emu.Compiler.Scheduling;

/// <summary>The cells on the longest way through an operation, of which most have several ways.</summary>
/// <param name="Luts">LUTs; a gate that shares one with its neighbours is a part of it.</param>
/// <param name="CarryCells">Carry cells of one chain.</param>
/// <param name="LutRams">RAMs in LUTs.</param>
/// <param name="Multipliers">Multiplier blocks, one behind the other.</param>
internal readonly record struct CellPath(double Luts, int CarryCells = 0, int LutRams = 0, int Multipliers = 0)
{
    /// <summary>A carry cell behind another, in levels: a carry has no wiring to pass.</summary>
    private const double NextCarryCell = 0.25;

    /// <summary>The levels that pass in the time of a multiplier block, and of one behind it.</summary>
    private const double Multiplier = 8, NextMultiplier = 3.5;

    /// <summary>Levels of logic: a LUT, a RAM in LUTs and the first carry cell are one each.</summary>
    public double Levels =>
        Luts + LutRams + Row(CarryCells, 1, NextCarryCell) + Row(Multipliers, Multiplier, NextMultiplier);

    /// <summary>True if it is one multiplier block and nothing else.</summary>
    public bool IsOneBlock => this == new CellPath(0, Multipliers: 1);

    /// <summary>The time on a device, with the wiring that is assumed behind each.</summary>
    public double PicosecondsOn(Device device)
    {
        var d = device.Delays;
        return Luts * device.Level
            + Row(CarryCells, d.Carry + d.Routing, d.CarryCell)
            + Row(LutRams, d.LutRam + d.Routing, d.LutRam + d.Routing)
            + Row(Multipliers, d.Multiplier + d.Routing, d.MultiplierCascade);
    }

    private static double Row(int count, double first, double next) => count == 0 ? 0 : first + (count - 1) * next;
}
