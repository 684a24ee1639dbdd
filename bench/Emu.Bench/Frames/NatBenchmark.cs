namespace Emu.Bench;

/// <summary>
/// Nat on packet sockets, beside the address translation of Linux on equal pairs of virtual interfaces.
/// </summary>
internal static class NatBenchmark
{
    private const int FlowCount = 256;

    public static IEnumerable<Ratio> Run(int rounds, double seconds)
    {
        using var kernel = NewSide();
        using var emu = NewSide();
        using var spinning = NewSide();
        Masquerade(kernel);
        Translate(emu, []);
        Translate(spinning, Comparison.Spin);

        var comparison = new Comparison(rounds, seconds, 1, emu, spinning, ("kernel", kernel));
        foreach (var length in Benchmarks.Lengths)
        {
            foreach (var ratio in comparison.Rates(
                $"NAT, {FlowCount} flows, {length} B", NatFrames.Outbound(length, FlowCount)))
                yield return ratio;
        }
        foreach (var ratio in comparison.Delays("NAT, 60 B there and back", NatFrames.ThereAndBack)) yield return ratio;
    }

    private static Side NewSide() => new(NatFrames.InsideMac, NatFrames.OutsideMac);

    private static void Translate(Side side, string[] options) => side.Serve("Nat", options,
    [
        "--inside", NatFrames.InsideAddress, "--outside", NatFrames.OutsideAddress, "--mac", $"{NatFrames.DeviceMac}",
        "--neighbor", $"{NatFrames.Server}={NatFrames.OutsideMac}",
    ]);

    /// <summary>The kernel as a router that hides everyone behind its address outside.</summary>
    private static void Masquerade(Side side)
    {
        side.Address(NatFrames.DeviceMac, NatFrames.InsideAddress, NatFrames.OutsideAddress);
        side.Know(0, NatFrames.Client, NatFrames.InsideMac);
        side.Know(1, NatFrames.Server, NatFrames.OutsideMac);
        side.Do("nft", "add", "table", "ip", "nat");
        side.Do("nft", "add chain ip nat out { type nat hook postrouting priority 100; }");
        side.Do("nft", "add", "rule", "ip", "nat", "out", "oifname", side.Ports[1], "masquerade");
    }
}
