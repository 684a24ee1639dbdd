using Emu.Testing;

namespace Emu.Bench;

/// <summary>A service that reflects frames on a tap, beside the C program that does the same on another.</summary>
internal static class TapBenchmark
{
    private const string EmuTap = "emu0";
    private const string NativeTap = "native0";

    public static IEnumerable<Ratio> Run(int rounds, double seconds)
    {
        using var network = new TestNetwork();
        var device = network.Device;
        using var emu = device.Start(
            Pinned.Program,
            Pinned.Arguments(Pinned.ServiceCore, "dotnet", Places.Self, "reflect", "--port", $"tap:{EmuTap}"));
        using var native = device.Start(
            Pinned.Program, Pinned.Arguments(Pinned.ServiceCore, NativeProgram.Build("reflect"), NativeTap));
        emu.WaitForLine("ready");
        native.WaitForLine("ready");

        var generator = new Generator(seconds);
        Load Load(string tap, int length) => generator.Run(device, length, [new Flow(device, tap, device, tap)]);
        new Generator(Benchmarks.WarmUpSeconds).Run(device, 60, [new Flow(device, EmuTap, device, EmuTap)]);
        foreach (var length in Benchmarks.Lengths)
        {
            var pairs = Benchmarks.Rounds($"{length} B", rounds)
                .Select(_ => (Emu: Load(EmuTap, length).Rate, Native: Load(NativeTap, length).Rate)).ToList();
            yield return Ratio.Of(
                $"tap, {length} B: Emu / C", pairs.Select(p => p.Emu / p.Native), "≥ 0.90",
                $"{Ratio.MedianOf(pairs.Select(p => p.Emu)) / 1e3:F0} / "
                + $"{Ratio.MedianOf(pairs.Select(p => p.Native)) / 1e3:F0} "
                + "thousand frames reflected a second");
        }
    }
}
