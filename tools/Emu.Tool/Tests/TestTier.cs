namespace Emu.Tool;

/// <summary>A choice of the tests by the time that they take.</summary>
/// <param name="Name">Of the tier, as tests find it in <c>EMU_TESTS</c>.</param>
/// <param name="Contents">The tests of the tier, in words that go on after a colon.</param>
/// <param name="LeftOut">The traits of the tests that are left out: tests/Tiers.cs.</param>
internal sealed record TestTier(string Name, string Contents, IReadOnlyList<string> LeftOut)
{
    private const string Slow = "tier=slow", Campaign = "tier=campaign";

    /// <summary>An answer while one waits.</summary>
    public static TestTier Fast { get; } = new(
        "fast",
        "the tests without outside simulators and networks of namespaces, with few random programs",
        [Slow, Campaign]);

    /// <summary>All that a change has to pass.</summary>
    public static TestTier Usual { get; } = new(
        "usual", "all tests but the long campaigns, which ./emu test --all runs too", [Campaign]);

    /// <summary>All there is.</summary>
    public static TestTier All { get; } = new(
        "all",
        "the usual tests, synthesis of every circuit, and campaigns of random programs in every simulator", []);
}
