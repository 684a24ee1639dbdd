using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Services as a networking engineer writes them: the same in Icarus Verilog.</summary>
public sealed class NaturalIcarusTests
{
    /// <summary>With --all each; else a few, since random programs of each kind are there as well.</summary>
    public static TheoryData<string> Services => [.. NaturalServices.All.Keys.Share(20)];

    /// <summary>Fewer frames outside of --all, since some take thousands of cycles each.</summary>
    [Theory]
    [MemberData(nameof(Services))]
    [Slow("Icarus")]
    public void A_natural_service_does_the_same_in_Icarus(string service)
    {
        if (OutsideSimulator.Icarus.WhyNot is { } whyNot) Assert.Skip(whyNot);
        Agreement.Check(
            new Subject(NaturalServices.All[service].Make),
            [.. NaturalServices.Traffic(service).Take(Tier.IsAll ? 50 : 20)],
            [
                new OutsideRung(
                    OutsideSimulator.Icarus, NaturalServices.LayoutOf(service),
                    interval: NaturalServices.Intervals.GetValueOrDefault(service, 2)),
            ]);
    }
}
