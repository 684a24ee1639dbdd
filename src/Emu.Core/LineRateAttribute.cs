namespace Emu;

/// <summary>
/// Asks for a circuit that keeps pace with a line: frames of 60 bytes (without FCS), one behind the other, at that
/// rate. <c>./emu check</c> says whether the service does at the clock that it is given.
/// </summary>
/// <remarks>Such a frame takes 84 bytes of the line, with preamble, FCS and gap (IEEE 802.3 §4.4.2).</remarks>
/// <param name="gigabits">The rate of the line in Gbit/s, such as 10, 40 or 100.</param>
[AttributeUsage(AttributeTargets.Class)]
public sealed class LineRateAttribute(double gigabits) : Attribute
{
    private const double BitsOfShortestFrame = 84 * 8;

    /// <summary>The rate of the line in Gbit/s.</summary>
    public double Gigabits { get; } = gigabits;

    /// <summary>The most cycles of a clock that a frame of 60 bytes may take.</summary>
    /// <param name="clockMHz">The clock in MHz.</param>
    public int MostCycles(int clockMHz) => (int)(clockMHz * BitsOfShortestFrame / (Gigabits * 1000));
}
