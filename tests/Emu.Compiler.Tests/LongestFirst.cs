using Xunit.Sdk;
using Xunit.v3;

[assembly: TestCollectionOrderer(typeof(Emu.Compiler.Tests.LongestFirst))]

namespace Emu.Compiler.Tests;

/// <summary>Begins with the class that takes longest, so that no core waits for it at the end.</summary>
public sealed class LongestFirst : ITestCollectionOrderer
{
    /// <inheritdoc/>
    public IReadOnlyCollection<TTestCollection> OrderTestCollections<TTestCollection>(
        IReadOnlyCollection<TTestCollection> testCollections)
        where TTestCollection : ITestCollection =>
        [.. testCollections.OrderByDescending(collection =>
            collection.TestCollectionDisplayName.Contains(nameof(NaturalTests), StringComparison.Ordinal))];
}
