namespace Emu.Simulation;

/// <summary>The result of synthesising a design, in cells of a Xilinx 7-series device.</summary>
/// <param name="Lut">LUTs of any size, without those that are RAM or shift registers.</param>
/// <param name="Ff">Flip-flops.</param>
/// <param name="LutRam">LUTs that are distributed RAM.</param>
/// <param name="Srl">LUTs that are shift registers.</param>
/// <param name="BlockRamKbit">Block RAM, 18 or 36 Kbit each.</param>
/// <param name="Dsp">Multipliers.</param>
/// <param name="Depth">
/// The most LUTs, wide multiplexers, carry cells of four bits and inverters one behind the other; flip-flops, RAMs,
/// shift registers and multipliers end a path.
/// </param>
/// <param name="Picoseconds">
/// The longest path from the edge that launches it to the set-up time of its end, by the cells' own delays and without
/// any wiring; null where static timing analysis did not come to an end.
/// </param>
public sealed record SynthesisFigures(
    int Lut, int Ff, int LutRam, int Srl, int BlockRamKbit, int Dsp, int Depth, int? Picoseconds);
