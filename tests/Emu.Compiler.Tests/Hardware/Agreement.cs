using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Holds services to .NET on frames that a test makes.</summary>
internal static class Agreement
{
    public static void Check(Func<Service> service, IReadOnlyList<IncomingFrame> frames, IReadOnlyList<Rung> rungs)
    {
        var difference = Ladder.Difference(new Subject(service), frames, [new DotNetRung(), .. rungs]);
        Assert.True(difference is null, difference);
    }

    /// <summary>As a pipeline in another simulator; skipped where there is none.</summary>
    public static void CheckOutside(
        Func<Service> service, IReadOnlyList<IncomingFrame> frames, OutsideSimulator outside)
    {
        if (outside.WhyNot is { } whyNot) Assert.Skip(whyNot);
        Check(service, frames, [new OutsideRung(outside, Layout.Pipeline)]);
    }
}
