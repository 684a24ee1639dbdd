namespace Emu.Bench;

/// <summary>
/// A service beside what Linux has for the same, each in a network of its own, equal but for the device,
/// measured in turn, round by round.
/// </summary>
/// <param name="rounds">The number of rounds.</param>
/// <param name="seconds">The seconds that each measurement takes.</param>
/// <param name="leastRate">The goal: frames that arrive, by those of each program beside it.</param>
/// <param name="emu">The service as it is.</param>
/// <param name="spinning">The service with <see cref="Spin"/>.</param>
/// <param name="others">The programs beside it, by name.</param>
internal sealed class Comparison(
    int rounds, double seconds, double leastRate, Side emu, Side spinning, params (string Name, Side Side)[] others)
{
    /// <summary>
    /// A service that looks for frames for so long after the last one that it does not sleep before the next.
    /// </summary>
    public static string[] Spin => ["--spin", $"{SpinMicroseconds}"];

    private const int SpinMicroseconds = 100;

    private readonly Generator _generator = new(seconds);
    private readonly RoundTrip _client = new(seconds);

    /// <summary>Sends frames to everyone, again and again: what is to be there before a measurement.</summary>
    public void Send(string what, IEnumerable<byte[]> frames)
    {
        var file = Write(what, frames);
        foreach (var side in (Side[])[emu, spinning, .. others.Select(other => other.Side)])
            side.Send(new Generator(Benchmarks.WarmUpSeconds), file);
    }

    /// <summary>Frames that arrive, of those that are sent as fast as the generator can.</summary>
    public IEnumerable<Ratio> Rates(string what, IEnumerable<byte[]> frames)
    {
        var file = Write(what, frames);
        emu.Send(new Generator(Benchmarks.WarmUpSeconds), file);
        var measured = InTurn(
            "frames", [emu, .. others.Select(other => other.Side)], side => side.Send(_generator, file));
        for (var i = 0; i < others.Length; i++)
        {
            var pairs = measured.Select(round => (Emu: round[0], Other: round[i + 1])).ToList();
            double Thousands(Func<(Load Emu, Load Other), double> of) => Ratio.MedianOf(pairs.Select(of)) / 1e3;
            yield return Ratio.Of(
                $"{what}: frames, Emu / "
                + $"{others[i].Name}", pairs.Select(pair => pair.Emu.Rate / pair.Other.Rate),
                FormattableString.Invariant($"≥ {leastRate:F2}"),
                $"{Thousands(pair => pair.Emu.Rate):F0} / {Thousands(pair => pair.Other.Rate):F0} "
                + "thousand frames a second, "
                + $"of {Thousands(pair => pair.Emu.SentRate):F0} / {Thousands(pair => pair.Other.SentRate):F0} sent");
        }
    }

    /// <summary>
    /// The delays until an answer is there, one at a time: of the service that spins, and of the one that does not.
    /// </summary>
    public IEnumerable<Ratio> Delays(string what, Exchange exchange)
    {
        Side[] sides = [spinning, emu, .. others.Select(other => other.Side)];
        foreach (var side in sides[..2]) side.Ask(new RoundTrip(Benchmarks.WarmUpSeconds), exchange);
        var measured = InTurn("delays", sides, side => side.Ask(_client, exchange));
        foreach (var (kind, place) in new[] { ($"--spin {SpinMicroseconds}, ", 0), ("", 1) })
        {
            for (var i = 0; i < others.Length; i++)
            {
                var pairs = measured.Select(round => (Emu: round[place], Other: round[i + 2])).ToList();
                yield return Compare($"{what}: {kind}median, Emu / {others[i].Name}", pairs, delay => delay.Median);
                yield return Compare(
                    $"{what}: {kind}99th percentile, Emu / {others[i].Name}", pairs, delay => delay.Percentile99);
            }
        }
    }

    private static Ratio Compare(string name, List<(Delay Emu, Delay Other)> pairs, Func<Delay, double> of) => Ratio.Of(
        name, pairs.Select(pair => of(pair.Emu) / of(pair.Other)), "≤ 1.00",
        $"{Ratio.MedianOf(pairs.Select(pair => of(pair.Emu))):F1} / "
        + $"{Ratio.MedianOf(pairs.Select(pair => of(pair.Other))):F1} µs, "
        + $"{pairs.Sum(pair => pair.Emu.Lost)} / {pairs.Sum(pair => pair.Other.Lost)} lost");

    /// <summary>A row for each round, in it a figure for each side.</summary>
    private List<T[]> InTurn<T>(string figure, IReadOnlyList<Side> sides, Func<Side, T> measure) =>
        [.. Benchmarks.Rounds(figure, rounds).Select(_ => sides.Select(measure).ToArray())];

    /// <summary>Writes frames to a file, and returns its path.</summary>
    private static string Write(string what, IEnumerable<byte[]> frames)
    {
        var path = Path.Combine(Places.Build, string.Concat(what.Where(char.IsAsciiLetterOrDigit)) + ".frames");
        File.WriteAllLines(path, frames.Select(Convert.ToHexString));
        return path;
    }
}
