using Emu.Compiler.Rtl;

namespace Emu.Compiler.Reports;

/// <summary>The resources of a circuit, counted before synthesis, which leaves some out and adds others.</summary>
/// <param name="FlopBits">Bits of flops.</param>
/// <param name="RamBits">Bits of RAMs, ROMs too.</param>
/// <param name="Luts">LUTs of six inputs, without those that are RAM.</param>
/// <param name="Dsps">Multipliers of 25 by 18 bits (DSP48E1).</param>
/// <param name="Estimated">True if all are counted in the design, not by synthesis.</param>
public sealed record Resources(long FlopBits, long RamBits, long Luts, long Dsps, bool Estimated = true)
{
    /// <summary>Counts a design.</summary>
    /// <param name="design">The design.</param>
    /// <param name="costs">The costs of the same design by method and part.</param>
    public static Resources Of(Design design, IReadOnlyList<Cost> costs)
    {
        ArgumentNullException.ThrowIfNull(design);
        var outermost = costs.Where(c => c.Depth == 0).ToList();
        return new Resources(
            design.Sections.Sum(FlopBitsOf), design.Sections.Sum(RamBitsOf), outermost.Sum(c => c.Luts),
            outermost.Sum(c => c.Dsps));
    }

    internal static long FlopBitsOf(Section section) =>
        section.Items.Sum(item =>
            item switch { Flop flop => flop.Width, RamRead { IsRegistered: true } read => (long)read.Width, _ => 0 });

    internal static long RamBitsOf(Section section) =>
        section.Items.OfType<Ram>().Sum(ram => (long)ram.Width * ram.Depth);
}

/// <summary>A part of a circuit: a stage of a pipeline, states of an engine, the registers.</summary>
/// <param name="Title">Its work, in a line.</param>
/// <param name="FlopBits">Bits of its flops.</param>
/// <param name="RamBits">Bits of its RAMs.</param>
public sealed record Stage(string Title, long FlopBits, long RamBits)
{
    /// <summary>The parts of a design that hold anything.</summary>
    public static IReadOnlyList<Stage> Of(Design design)
    {
        ArgumentNullException.ThrowIfNull(design);
        // Those of parts alike are one row.
        return [.. design.Sections.Where(s => s.Items.Count > 0).Index()
            .GroupBy(s => s.Item.Kind == s.Item.Title ? (s.Item.Kind, s.Index) : (s.Item.Kind, -1), s => s.Item)
            .Select(s => new Stage(s.Key.Kind, s.Sum(Resources.FlopBitsOf), s.Sum(Resources.RamBitsOf)))];
    }
}
