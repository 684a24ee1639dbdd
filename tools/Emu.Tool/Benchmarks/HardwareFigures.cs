using System.Text.Json.Serialization;
using Emu.Simulation;

namespace Emu.Tool;

/// <summary>The figures of a service in hardware: fewer is better, of everything.</summary>
/// <param name="Service">Its class.</param>
/// <param name="Arguments">As they are written behind <c>--</c>.</param>
/// <param name="BusBits">Bits of <c>tdata</c>.</param>
/// <param name="Layout">The layout's name.</param>
/// <param name="Latency">
/// Cycles, of a frame of 60 bytes alone that is answered or forwarded; null when there is none.
/// </param>
/// <param name="Interval">
/// Cycles from frame to frame by their bytes, the source saturated and the sink ready; null where no frame that the
/// service is measured with is so short.
/// </param>
/// <param name="Cells">By synthesis; null where that was not done.</param>
internal sealed record HardwareFigures(
    string Service, string Arguments, int BusBits, string Layout, long? Latency,
    IReadOnlyDictionary<int, long?> Interval, SynthesisFigures? Cells)
{
    /// <summary>The name of the figure of static timing analysis.</summary>
    public const string Picoseconds = "logic, ps";

    /// <summary>
    /// The allowance for wiring, which is not measured: half of a placed path is taken to be wires.
    /// </summary>
    public const int WiringFactor = 2;

    /// <summary>The name that tells it from others.</summary>
    [JsonIgnore]
    public string Name => $"{Service}{(Arguments.Length > 0 ? " " : "")}{Arguments}, {Layout}, {BusBits} bit";

    /// <summary>
    /// The change of a figure that is none: synthesis gives a cell more or less for a line that has moved.
    /// Cycles are exact.
    /// </summary>
    /// <param name="name">Of the figure, as in <see cref="All"/>.</param>
    /// <param name="before">The figure before.</param>
    public static long Tolerance(string name, long before) => name switch
    {
        "LUT" or "LUT, estimated" or "FF" => before / 100,
        "depth" => 1,
        Picoseconds => before / 10,
        _ => 0,
    };

    /// <summary>The figures by name, in the order of a table.</summary>
    [JsonIgnore]
    public IEnumerable<(string Name, long? Value)> All =>
    [
        ("latency", Latency),
        .. Interval.OrderBy(i => i.Key).Select(i => ($"{i.Key} B", i.Value)),
        ("LUT", Cells?.Lut), ("FF", Cells?.Ff), ("LUT as RAM", Cells?.LutRam), ("SRL", Cells?.Srl),
        ("block RAM, Kbit", Cells?.BlockRamKbit), ("DSP", Cells?.Dsp),
        ("depth", Cells?.Depth), (Picoseconds, Cells?.Picoseconds),
    ];

    /// <summary>
    /// The clock whose period the longest path has with its wiring, in MHz, on the slowest grade of the 7 series; null
    /// where that path is not known.
    /// </summary>
    [JsonIgnore]
    public long? ClockMhz =>
        Cells?.Picoseconds is { } path ? (long)(1e6 / (WiringFactor * path)) : null;
}
