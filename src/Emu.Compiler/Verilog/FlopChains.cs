using Emu.Compiler.Rtl;

namespace Emu.Compiler.Verilog;

/// <summary>Flops of one name and one enable, side by side.</summary>
/// <param name="Flops">In the order of their section.</param>
internal sealed record FlopVector(IReadOnlyList<Flop> Flops)
{
    /// <summary>That of the highest bits first.</summary>
    public IReadOnlyList<Flop> Places { get; } = [.. Flops.OrderBy(flop => flop.Place)];

    /// <summary>True if the flops take what those of another vector hold, each from its place.</summary>
    public bool Follows(FlopVector other) =>
        other.Flops.Count == Flops.Count && other.Flops[0].Enable == Flops[0].Enable
        && Places.Zip(other.Places).All(pair => pair.First.Next == pair.Second);
}

/// <summary>
/// The flops of a design as vectors, and those that only carry a value through several stages as shift registers:
/// chains of vectors, the first of which takes the value.
/// </summary>
internal sealed class FlopChains
{
    private readonly Dictionary<Flop, IReadOnlyList<FlopVector>> _chains = new(ReferenceEqualityComparer.Instance);

    public FlopChains(Design design)
    {
        var vectorOf = new Dictionary<Flop, FlopVector>(ReferenceEqualityComparer.Instance);
        List<FlopVector> vectors = [.. design.Sections.SelectMany(Vectors)];
        foreach (var vector in vectors) foreach (var flop in vector.Flops) vectorOf[flop] = vector;
        var next = new Dictionary<FlopVector, FlopVector>(ReferenceEqualityComparer.Instance);
        foreach (var vector in vectors)
            if (vector.Flops[0] is { Stage: not null, Next: Flop before } && vectorOf[before] is { } source
                && source.Flops[0].Stage is not null && vector.Follows(source))
                next.TryAdd(source, vector);
        var followers = new HashSet<FlopVector>(next.Values, ReferenceEqualityComparer.Instance);
        foreach (var vector in vectors.Where(vector => !followers.Contains(vector)))
        {
            List<FlopVector> chain = [vector];
            while (next.TryGetValue(chain[^1], out var follower)) chain.Add(follower);
            foreach (var flop in chain.SelectMany(part => part.Flops)) _chains[flop] = chain;
        }
    }

    /// <summary>The chain that a flop is a part of: one vector, or one flop, where it is none.</summary>
    public IReadOnlyList<FlopVector> Of(Flop flop) => _chains[flop];

    /// <summary>The name of a chain: what it carries behind its stages.</summary>
    public static string NameOf(IReadOnlyList<FlopVector> chain)
    {
        var (first, last) = (chain[0].Flops[0], chain[^1].Flops[0]);
        return first.Stage is not { } stage ? first.Vector!
            : chain.Count == 1 ? $"s{stage}_{first.Vector}"
            : $"s{stage}_to_s{last.Stage}_{first.Vector}";
    }

    private static IEnumerable<FlopVector> Vectors(Section section)
    {
        var flops = section.Items.OfType<Flop>().ToList();
        var isPart = flops.ToLookup(flop => flop.Vector is not null && flop.Reset is null);
        return isPart[true].GroupBy(flop => (flop.Vector, flop.Stage, flop.Enable))
            .Select(group => new FlopVector([.. group])).Concat(isPart[false].Select(flop => new FlopVector([flop])));
    }
}
