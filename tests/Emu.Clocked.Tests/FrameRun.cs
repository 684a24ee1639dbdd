using Emu.Compiler.Clocked;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Clocked.Tests;

/// <summary>Frames that have gone through the stepped circuit of a program with two AXI-Streams.</summary>
/// <param name="Inputs">What went in, by cycle, then by port.</param>
/// <param name="Sent">The frames that left, as those of <see cref="DotNetRung"/> are written.</param>
internal sealed record FrameRun(List<Dictionary<string, ulong>> Inputs, List<string> Sent)
{
    private const int MostCycles = 1_000_000;

    /// <summary>Sends frames through a circuit.</summary>
    public static FrameRun Of(ClockedCircuit circuit, IEnumerable<IncomingFrame> frames)
    {
        using var recording = new RecordingSimulator(new ManagedSimulator(circuit.Design));
        using var bench = new Bench(new JoinedUserSimulator(recording));
        foreach (var frame in frames) bench.Send(frame.Bytes, new PortId((byte)frame.Port), frame.Time);
        bench.RunUntilIdle(MostCycles);
        var sent = bench.Received.Select(f => new SentFrame(f.Destinations, f.Bytes.ToArray(), f.User.Time).ToString());
        return new FrameRun(recording.Inputs, [.. sent]);
    }
}
