using Emu.Testing;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>
/// The compiled subset, subject by subject: the suite's services on every rung,
/// as the C# compiler makes them for Debug and for Release.
/// </summary>
public sealed class SuiteTests
{
    private const int Frames = 60;

    public static TheoryData<string> Debug => [.. Suite.Services(OptimizationLevel.Debug).Share(9)];

    public static TheoryData<string> Release =>
        [.. Suite.Services(OptimizationLevel.Release).Share(Tier.IsFast ? 5 : 2)];

    [Theory]
    [MemberData(nameof(Debug))]
    [Slow("time")]
    public void A_Debug_build_is_the_same_on_every_rung(string service) => Check(OptimizationLevel.Debug, service);

    [Theory]
    [MemberData(nameof(Release))]
    public void A_Release_build_is_the_same_on_every_rung(string service) => Check(OptimizationLevel.Release, service);

    private static void Check(OptimizationLevel level, string service)
    {
        var difference = Ladder.Difference(() => Suite.Construct(level, service), EdgeFrames.Of(Frames));
        Assert.True(difference is null, difference);
    }
}
