namespace Emu.Direction.Weaving;

/// <summary>The direction that is woven into a service.</summary>
/// <param name="Features">The commands that it obeys.</param>
/// <param name="Key">The key that it shares with directors.</param>
/// <param name="Address">
/// The address of direction frames; null for the parameter <c>mac</c> of its constructor.
/// </param>
/// <param name="BootCount">Another number for each start, where targets can be told one.</param>
/// <param name="Comparisons">The comparisons that a condition may have, 0 to 4.</param>
public sealed record WeaveOptions(
    DirectionFeatures Features, UInt128 Key, MacAddress? Address, uint BootCount = 0,
    int Comparisons = WeaveOptions.UsualComparisons)
{
    /// <summary>The comparisons that a condition may have unless another number is given: 2.</summary>
    public const int UsualComparisons = 2;

    /// <summary>The most comparisons that a condition may have: 4.</summary>
    public const int MostComparisons = Probes.Condition.MostComparisons;
}
