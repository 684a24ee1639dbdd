using Emu.Compiler.Rtl;

namespace Emu.Compiler.Verilog;

/// <summary>Flops that are declared and assigned as one vector.</summary>
/// <param name="Places">The flops, that of the highest bits first.</param>
/// <param name="First">The first in its section, where the vector is declared.</param>
/// <param name="Signal">The vector.</param>
internal sealed record VerilogVector(IReadOnlyList<Flop> Places, Flop First, VerilogSignal Signal)
{
    /// <summary>The value at power-up.</summary>
    public UInt128 Initial => First.Reset ?? 0;
}
