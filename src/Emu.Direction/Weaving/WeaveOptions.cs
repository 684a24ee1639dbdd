namespace Emu.Direction.Weaving;

/// <summary>The direction that is woven into a service.</summary>
/// <param name="Features">The commands that it obeys.</param>
/// <param name="Key">The key that it shares with directors.</param>
/// <param name="Address">
/// The address of direction frames; null for the parameter <c>mac</c> of its constructor.
/// </param>
/// <param name="BootCount">Another number for each start, where targets can be told one.</param>
/// <param name="Comparisons">The comparisons that a condition may have, 0 to 4.</param>
/// <param name="Hold">The most frames that wait while the service is stopped.</param>
/// <param name="LeaseSeconds">The seconds for which it is stopped without a packet of the session.</param>
public sealed record WeaveOptions(
    DirectionFeatures Features, UInt128 Key, MacAddress? Address, uint BootCount = 0,
    int Comparisons = WeaveOptions.UsualComparisons, int Hold = WeaveOptions.UsualHold,
    int LeaseSeconds = WeaveOptions.UsualLeaseSeconds)
{
    /// <summary>The most frames that wait unless another number is given: 16.</summary>
    public const int UsualHold = 16;

    /// <summary>The most frames that may wait: 256.</summary>
    public const int MostHold = 256;

    /// <summary>The seconds of a stop without a packet unless another number is given: 60.</summary>
    public const int UsualLeaseSeconds = 60;

    /// <summary>The longest of such stops, in seconds: a day.</summary>
    public const int MostLeaseSeconds = 86_400;

    /// <summary>The comparisons that a condition may have unless another number is given: 2.</summary>
    public const int UsualComparisons = 2;

    /// <summary>The most comparisons that a condition may have: 4.</summary>
    public const int MostComparisons = Probes.Condition.MostComparisons;
}
