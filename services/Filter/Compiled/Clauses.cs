namespace Emu.Services;

/// <summary>
/// The conditions under which a rule matches: every clause must hold, and of each clause one of its terms.
/// </summary>
/// <param name="limits">The limits of all rules, to which those of this one are added.</param>
internal sealed class Clauses(List<TokenBucket> limits)
{
    private readonly List<Term> _terms = [];

    public IReadOnlyList<Term> Terms => _terms;

    /// <summary>A clause of one term.</summary>
    public void Add(Term term) => _terms.Add(term);

    /// <summary>A clause of several terms, of which one must hold.</summary>
    public void AddAny(IReadOnlyList<Term> terms)
    {
        for (var i = 0; i < terms.Count; i++) _terms.Add(terms[i] with { EndsClause = i == terms.Count - 1 });
    }

    /// <summary>The bits of an address.</summary>
    public void AddAddress(AddressPrefix prefix, bool isNegated, Field low, Field high)
    {
        Term[] terms = prefix.Family == IPFamily.IPv4
            ? [Term.Equal(low, (ulong)prefix.Address, (ulong)prefix.Mask, isNegated)]
            : [
                Term.Equal(high, (ulong)(prefix.Address >> 64), (ulong)(prefix.Mask >> 64), isNegated),
                Term.Equal(low, (ulong)prefix.Address, (ulong)prefix.Mask, isNegated),
            ];
        terms = [.. terms.Where(term => term.Mask != 0)];
        if (terms.Length == 0 && isNegated) AddNever();
        if (isNegated && terms.Length > 0) AddAny(terms);
        else foreach (var term in terms) Add(term);
    }

    /// <summary>
    /// Addresses from the first to the last. In two halves an order is a matter of the upper,
    /// and of the lower where the upper are equal.
    /// </summary>
    public void AddRange(IPFamily family, UInt128 first, UInt128 last, bool isNegated, Field low, Field high)
    {
        if (family == IPFamily.IPv4)
        {
            Add(Term.Within(low, (ulong)first, (ulong)last, isNegated));
            return;
        }
        var notBelow = NotBelow(first, low, high);
        var notAbove = NotAbove(last, low, high);
        if (!isNegated)
        {
            foreach (var clause in (Term[][])[.. notBelow, .. notAbove]) AddAny(clause);
            return;
        }
        // Below the first or above the last: of each pair of clauses one must hold.
        var below = first == 0 ? [[Term.Never]] : NotAbove(first - 1, low, high);
        var above = last == UInt128.MaxValue ? [[Term.Never]] : NotBelow(last + 1, low, high);
        foreach (var one in below) foreach (var other in above) AddAny([.. one, .. other]);
    }

    /// <summary>A rate, which only packets are asked for that meet the clauses before.</summary>
    public void AddLimit(TokenBucket limit)
    {
        Add(Term.Limited(limits.Count));
        limits.Add(limit);
    }

    /// <summary>Nothing matches.</summary>
    public void AddNever() => Add(Term.Never);

    private static Term[][] NotBelow(UInt128 first, Field low, Field high)
    {
        var (upper, lower) = ((ulong)(first >> 64), (ulong)first);
        Term[] greater = upper == ulong.MaxValue ? [] : [Term.Within(high, upper + 1, ulong.MaxValue)];
        return [[Term.Within(high, upper, ulong.MaxValue)], [.. greater, Term.Within(low, lower, ulong.MaxValue)]];
    }

    private static Term[][] NotAbove(UInt128 last, Field low, Field high)
    {
        var (upper, lower) = ((ulong)(last >> 64), (ulong)last);
        Term[] less = upper == 0 ? [] : [Term.Within(high, 0, upper - 1)];
        return [[Term.Within(high, 0, upper)], [.. less, Term.Within(low, 0, lower)]];
    }
}
