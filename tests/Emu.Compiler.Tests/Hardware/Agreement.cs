using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// Holds services to .NET on frames that a test makes; all checks of a subject share what the compiler makes of it.
/// </summary>
internal static class Agreement
{
    public static void Check(Subject service, IReadOnlyList<IncomingFrame> frames, IReadOnlyList<Rung> rungs)
    {
        var difference = Ladder.Difference(service.Again(), frames, [new DotNetRung(), .. rungs]);
        Assert.True(difference is null, difference);
    }

    /// <summary>As a pipeline in another simulator; skipped where there is none.</summary>
    public static void CheckOutside(
        Subject service, IReadOnlyList<IncomingFrame> frames, OutsideSimulator outside)
    {
        if (outside.WhyNot is { } whyNot) Assert.Skip(whyNot);
        Check(service, frames, [new OutsideRung(outside, Layout.Pipeline)]);
    }
}
