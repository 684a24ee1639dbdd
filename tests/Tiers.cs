using Xunit.v3;

namespace Emu.Tests;

/// <summary>Leaves tests out of <c>./emu test --fast</c>.</summary>
/// <param name="why">The reason: a tool, namespaces, or the time that they take.</param>
[AttributeUsage(AttributeTargets.Assembly | AttributeTargets.Class | AttributeTargets.Method)]
internal sealed class SlowAttribute(string why) : Attribute, ITraitAttribute
{
    /// <summary>The reason.</summary>
    public string Why => why;

    /// <inheritdoc/>
    public IReadOnlyCollection<KeyValuePair<string, string>> GetTraits() => [new("tier", "slow")];
}

/// <summary>Leaves tests to <c>./emu test --all</c>.</summary>
/// <param name="why">The reason: the time that they take.</param>
[AttributeUsage(AttributeTargets.Assembly | AttributeTargets.Class | AttributeTargets.Method)]
internal sealed class CampaignAttribute(string why) : Attribute, ITraitAttribute
{
    /// <summary>The reason.</summary>
    public string Why => why;

    /// <inheritdoc/>
    public IReadOnlyCollection<KeyValuePair<string, string>> GetTraits() => [new("tier", "campaign")];
}

/// <summary>The tier that runs, of <c>./emu test</c>; the usual one when a test is run by itself.</summary>
internal static class Tier
{
    private static readonly string? s_name = Environment.GetEnvironmentVariable("EMU_TESTS");

    /// <summary>True for <c>--fast</c>: a small share of what is random.</summary>
    public static bool IsFast { get; } = s_name == "fast";

    /// <summary>True for <c>--all</c>.</summary>
    public static bool IsAll { get; } = s_name == "all";

    /// <summary>All of them with <c>--all</c>, else one of a few, the first among them.</summary>
    public static IEnumerable<T> Share<T>(this IEnumerable<T> items, int oneOf) =>
        items.Where((_, i) => IsAll || i % oneOf == 0);
}
