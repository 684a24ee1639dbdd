using Emu.Compiler.Layouts;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>A reset in the middle of a frame leaves a clean machine, wherever in the frame it is.</summary>
internal static class ResetInAFrame
{
    private const int From = 100, To = 400, Step = 7, ResetCycles = 3;

    /// <summary>Resets the pipeline of a service, and compares what it does with the frames behind that.</summary>
    /// <param name="service">The service.</param>
    /// <param name="frames">The frames, of more than 400 beats of 64 bits.</param>
    public static void Check(Subject service, IReadOnlyList<IncomingFrame> frames)
    {
        var run = new ServiceRun(service.Construct(), Subject.Ports);
        var circuit = service.Circuit(new HardwareOptions { BusBits = 64 }, Layout.Pipeline);
        Check(
            frames, [.. frames.SelectMany(f => run.Receive(f.Port, f.Bytes, f.Time))],
            () => service.Simulator(circuit));
    }

    /// <summary>Resets a circuit, and compares what it does with the frames behind that.</summary>
    /// <param name="frames">The frames.</param>
    /// <param name="expected">What comes out after power-up.</param>
    /// <param name="powerUp">Makes the circuit.</param>
    public static void Check(
        IReadOnlyList<IncomingFrame> frames, IReadOnlyList<SentFrame> expected, Func<Simulator> powerUp)
    {
        for (var cycle = From; cycle < To; cycle += Step)
        {
            using var bench = new Bench(powerUp());
            foreach (var frame in frames) bench.Send(frame.Bytes, new PortId(frame.Port), frame.Time);
            bench.Run(cycle);
            bench.Reset(ResetCycles);
            bench.RunUntilIdle();
            var before = bench.Received.Count;
            // What it has kept is forgotten: the same frames have the same fate again.
            bench.Reset(ResetCycles);
            HardwareSubject.AssertEqual(expected, [.. HardwareSubject.Drive(bench, frames).Skip(before)]);
        }
    }
}
