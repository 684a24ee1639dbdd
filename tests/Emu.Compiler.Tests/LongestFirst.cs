using Xunit.Sdk;
using Xunit.v3;

[assembly: TestCollectionOrderer(typeof(Emu.Compiler.Tests.LongestFirst))]

namespace Emu.Compiler.Tests;

/// <summary>Begins with the classes that take longest, so that no core waits for them at the end.</summary>
public sealed class LongestFirst : ITestCollectionOrderer
{
    private static readonly string[] s_longest = [nameof(NaturalTests), nameof(ParseGraphTests)];

    /// <inheritdoc/>
    public IReadOnlyCollection<TTestCollection> OrderTestCollections<TTestCollection>(
        IReadOnlyCollection<TTestCollection> testCollections)
        where TTestCollection : ITestCollection =>
        [.. testCollections.OrderByDescending(collection => Array.Exists(
            s_longest, name => collection.TestCollectionDisplayName.Contains(name, StringComparison.Ordinal)))];
}
