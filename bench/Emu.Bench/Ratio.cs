namespace Emu.Bench;

/// <summary>A ratio of one measurement to another that was made beside it, over some rounds.</summary>
/// <param name="Name">The same in every run.</param>
/// <param name="Median">Over the rounds.</param>
/// <param name="LowerQuartile">A quarter of the rounds is below it.</param>
/// <param name="UpperQuartile">A quarter of the rounds is above it.</param>
/// <param name="Goal">The goal; null for none.</param>
/// <param name="Details">The measured quantities behind it, for people: they depend on the machine.</param>
internal sealed record Ratio(
    string Name, double Median, double LowerQuartile, double UpperQuartile, string? Goal, string Details)
{
    /// <summary>Of the ratios of single rounds, in any order.</summary>
    public static Ratio Of(string name, IEnumerable<double> rounds, string? goal, string details)
    {
        var sorted = rounds.Order().ToArray();
        return new Ratio(name, Quantile(sorted, 0.5), Quantile(sorted, 0.25), Quantile(sorted, 0.75), goal, details);
    }

    /// <summary>The median of some numbers.</summary>
    public static double MedianOf(IEnumerable<double> values) => Quantile([.. values.Order()], 0.5);

    /// <summary>Between two neighbours where the rank is between them.</summary>
    private static double Quantile(double[] sorted, double share)
    {
        var rank = share * (sorted.Length - 1);
        var below = (int)rank;
        var above = Math.Min(below + 1, sorted.Length - 1);
        return sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
    }
}
