using Emu.Compiler.Diagnostics;
using Emu.Compiler.Layouts;
using Emu.Simulation;

namespace Emu.Compiler.Tests;

/// <summary>
/// The AXI4-Lite window has 4 KiB: every register is at an address of its own in it, or the service is refused.
/// </summary>
public sealed class RegisterMapTests
{
    private const int Window = 1 << 12;

    [Theory]
    [InlineData(Layout.Pipeline)]
    [InlineData(Layout.Engine)]
    public void Each_of_many_counters_is_read_at_its_own_address(Layout layout)
    {
        const int Counters = 300;
        var circuit = HardwareCompiler.Compile(new Counts(Counters), new HardwareOptions(), layout).Circuit;
        var bench = new Bench(new ManagedSimulator(circuit.Design)) { QuietCycles = 2_000 };
        var counted = new[] { 0, 1, 43, 255, 256, 299, 299 };
        foreach (var number in counted)
            bench.Send((byte[])[(byte)(number >> 8), (byte)number, .. new byte[58]], new PortId(0), 0);
        bench.RunUntilIdle();

        var counters = circuit.Registers.Where(r =>
                r.Meaning.StartsWith("counter of the service (low", StringComparison.Ordinal))
            .ToList();
        Assert.Equal(Counters, counters.Count);
        Assert.Equal(circuit.Registers.Count, circuit.Registers.Select(r => r.Address).Distinct().Count());
        Assert.All(circuit.Registers, r => Assert.InRange(r.Address, 0, Window - 4));
        Assert.Equal(
            counted.GroupBy(n => n).Select(n => (uint)n.Count()).Order(),
            counters.Select(r => bench.Registers.Read(r.Address).Data).Where(count => count > 0).Order());
    }

    [Theory]
    [InlineData(Layout.Pipeline)]
    [InlineData(Layout.Engine)]
    public void More_counters_than_addresses_are_refused(Layout layout)
    {
        var refused = Assert.Throws<CompileException>(() =>
            HardwareCompiler.Compile(new Counts(520), new HardwareOptions(), layout));
        Assert.Equal(DiagnosticNumber.RegisterMap, refused.Number);
    }

    /// <summary>Counts the frames of each kind; in rows, since longer loops are not written out.</summary>
    private sealed class Counts(int kinds) : Service
    {
        private const int Row = 20;

        private readonly Counter[] _frames = [.. Enumerable.Range(0, kinds).Select(_ => new Counter())];

        public override void Process(ref Frame frame)
        {
            var kind = frame.Bytes[0] << 8 | frame.Bytes[1];
            for (var row = 0; row < _frames.Length / Row; row++)
            {
                for (var i = 0; i < Row; i++)
                {
                    if (kind == Row * row + i) _frames[Row * row + i].Increment();
                }
            }
        }
    }
}
