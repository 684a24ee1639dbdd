namespace Emu.Compiler.Rtl;

/// <summary>The ports of a design by which it gets its clock and its reset.</summary>
/// <param name="Clock">The clock's name.</param>
/// <param name="Reset">The reset's name.</param>
/// <param name="IsActiveHigh">True if the reset holds while its port is 1.</param>
public sealed record ClockPorts(string Clock, string Reset, bool IsActiveHigh)
{
    /// <summary>Those of modules with AXI4-Stream: <c>axis_aclk</c>, and <c>axis_resetn</c>, active low.</summary>
    public static ClockPorts Axi { get; } = new("axis_aclk", "axis_resetn", false);

    /// <summary>Those of the clock level: <c>clk</c>, and <c>reset</c>, active high.</summary>
    public static ClockPorts Plain { get; } = new("clk", "reset", true);
}
