using Emu.Hosting;
using Emu.Simulation;

namespace Emu.Tool;

/// <summary>The result of a simulation.</summary>
/// <param name="Simulator">Its name.</param>
/// <param name="FramesIn">The circuit's register.</param>
/// <param name="FramesOut">The circuit's register.</param>
/// <param name="Drops">The circuit's register.</param>
/// <param name="NotSent">Frames that the bus has no length for.</param>
/// <param name="Cycles">All cycles.</param>
/// <param name="CyclesPerFrame">
/// From one frame in to the next, the median; null without two frames, and on live ports, where frames are waited for.
/// </param>
/// <param name="LatencyCycles">
/// From a frame in to what it made come out, the median; null when nothing came out.
/// </param>
/// <param name="CyclesPerSecond">The speed of the simulation.</param>
internal sealed record SimulationSummary(
    string Simulator, uint FramesIn, uint FramesOut, uint Drops, ulong NotSent, long Cycles, long? CyclesPerFrame,
    long? LatencyCycles, long CyclesPerSecond)
{
    /// <summary>Looks at a device after its run.</summary>
    public static SimulationSummary Of(
        SimulatedDevice device, string simulator, IReadOnlyList<Port> ports, TimeSpan time)
    {
        var cycles = device.Cycles;
        return new SimulationSummary(
            simulator,
            device.Register("frames_in"),
            device.Register("frames_out"),
            device.Register("drops"),
            device.NotSent.Value,
            cycles,
            ports[0].IsLive ? null : device.Intervals.Median,
            device.Latencies.Median,
            (long)(cycles / Math.Max(time.TotalSeconds, 1e-6)));
    }

    /// <summary>One line.</summary>
    public override string ToString() =>
        $"{FramesIn} frames in, {FramesOut} out, {Drops} "
        + $"dropped{(NotSent > 0 ? $", {NotSent} not sent" : "")}; {Cycles:N0} cycles"
        + (CyclesPerFrame is { } interval ? $", {interval:N0} a frame" : "")
        + (LatencyCycles is { } latency ? $", {latency:N0} to the answer" : "")
        + $"; {CyclesPerSecond:N0} cycles a second ({Simulator})";
}
