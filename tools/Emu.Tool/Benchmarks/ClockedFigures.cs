using System.Text.Json.Serialization;

namespace Emu.Tool;

/// <summary>The figures of a circuit that one of several compilers made: fewer is better, of everything.</summary>
/// <param name="Program">The service's class, or the file.</param>
/// <param name="Compiler">The one that made the circuit, and of which source.</param>
/// <param name="Latency">Cycles, of a frame alone; null when none leaves.</param>
/// <param name="Shortest">Cycles from frame to frame, each of 60 bytes.</param>
/// <param name="Longest">Cycles from frame to frame, each of 1514 bytes; null where its buffer is shorter.</param>
/// <param name="Lut">By synthesis, without those that are RAM; null where that was not done.</param>
/// <param name="LutRam">LUTs that are distributed RAM.</param>
/// <param name="Ff">By synthesis.</param>
/// <param name="Depth">The most LUTs one behind the other.</param>
internal sealed record ClockedFigures(
    string Program, string Compiler, long? Latency, long Shortest, long? Longest, int? Lut, int? LutRam, int? Ff,
    int? Depth)
    : INamedFigures
{
    /// <inheritdoc/>
    [JsonIgnore]
    public string Name => $"{Program}, {Compiler}";

    /// <inheritdoc/>
    [JsonIgnore]
    public IEnumerable<(string Name, long? Value)> All =>
    [
        ("latency", Latency), ("60 B", Shortest), ("1514 B", Longest), ("LUT", Lut), ("LUT as RAM", LutRam), ("FF", Ff),
        ("depth", Depth),
    ];
}
