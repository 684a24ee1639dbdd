using System.Text.Json.Serialization;

namespace Emu.Tool;

/// <summary>The figures of a service in hardware with direction: fewer is better, of everything.</summary>
/// <param name="Service">Its class.</param>
/// <param name="Features">What is woven into it; empty for nothing.</param>
/// <param name="Layout">The layout's name.</param>
/// <param name="Latency">Cycles, of a frame alone; null when none leaves.</param>
/// <param name="Interval">Cycles from frame to frame, each of 60 bytes, or of as many as its kind has at least.</param>
/// <param name="Lut">By synthesis; null where that was not done, or did not end in its time.</param>
/// <param name="Estimate">LUTs as the compiler counts them in the design; null where that was not done.</param>
internal sealed record DirectionFigures(
    string Service, string Features, string Layout, long? Latency, long Interval, int? Lut, long? Estimate)
    : INamedFigures
{
    /// <inheritdoc/>
    [JsonIgnore]
    public string Name => Features.Length > 0 ? $"{Service} with {Features}" : Service;

    /// <inheritdoc/>
    [JsonIgnore]
    public IEnumerable<(string Name, long? Value)> All =>
        [("latency", Latency), ("interval", Interval), ("LUT", Lut), ("LUT, estimated", Estimate)];
}
