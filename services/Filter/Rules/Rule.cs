namespace Emu.Services;

/// <summary>A rule of a chain: what must hold, and what happens then.</summary>
internal sealed record Rule(IPFamily Family)
{
    public AddressPrefix? Source { get; init; }

    public bool IsSourceNegated { get; init; }

    public AddressPrefix? Destination { get; init; }

    public bool IsDestinationNegated { get; init; }

    public InterfacePattern? In { get; init; }

    public InterfacePattern? Out { get; init; }

    /// <summary>0 for every protocol.</summary>
    public byte Protocol { get; init; }

    public bool IsProtocolNegated { get; init; }

    /// <summary>
    /// <c>-f</c>: second and further fragments; false for all but these; null where it does not matter.
    /// </summary>
    public bool? IsLaterFragment { get; init; }

    public IReadOnlyList<Match> Matches { get; init; } = [];

    /// <summary>ACCEPT, DROP, REJECT, RETURN or a chain; empty for none.</summary>
    public string Target { get; init; } = "";

    /// <summary>True if a packet does not come back from the target.</summary>
    public bool IsGoto { get; init; }

    public RejectKind? Reject { get; init; }

    /// <summary>
    /// The count of its matches. Copies of a rule share it, since they are that rule with a chain renamed.
    /// </summary>
    public RuleCount Count { get; init; } = new();

    /// <summary>True if the target is a chain of the user.</summary>
    public bool IsJump => Target.Length > 0 && !Targets.IsBuiltIn(Target);

    /// <summary>
    /// The rule as <c>-A</c> takes it, without command and chain; a space before each word.
    /// Two rules are the same if this is.
    /// </summary>
    /// <param name="withCount">True to add the option <c>-c</c>, as <c>-S -v</c> prints it.</param>
    public string Save(bool withCount = false) => string.Concat(
        Address("-s", Source, IsSourceNegated),
        Address("-d", Destination, IsDestinationNegated),
        Interface("-i", In),
        Interface("-o", Out),
        Protocol == 0 ? "" : $"{Not(IsProtocolNegated)} -p {Protocols.Name(Protocol)}",
        IsLaterFragment is { } later ? $"{Not(!later)} -f" : "",
        string.Concat(Matches.Select(match => $" -m {match.Name}{match.Save()}")),
        withCount ? $" -c {Count.Packets} {Count.Bytes}" : "",
        Target.Length == 0 ? "" : $" {(IsGoto ? "-g" : "-j")} {Target}",
        Reject is { } reject ? $" --reject-with {reject.Name}" : "");

    /// <summary>Refuses a match where the rule is not for its protocol.</summary>
    public void RequireProtocol(Match match, byte protocol)
    {
        if (Protocol != protocol || IsProtocolNegated)
            throw new RuleException($"match {match.Name} needs -p {Protocols.Name(protocol)} in the rule");
    }

    /// <summary>The terms that must hold.</summary>
    /// <param name="limits">The list to which its limits are added.</param>
    public IReadOnlyList<Term> Terms(List<TokenBucket> limits)
    {
        var clauses = new Clauses(limits);
        if (In is { IsAny: false } from) clauses.Add(Term.In(Field.Ingress, from.Ports, from.IsNegated));
        else if (In is { IsNegated: true }) clauses.AddNever();
        if (Out is { IsAny: false } to) clauses.Add(Term.In(Field.Egress, to.Ports, to.IsNegated));
        else if (Out is { IsNegated: true }) clauses.AddNever();
        if (Protocol != 0) clauses.Add(Term.Equal(Field.Protocol, Protocol, isNegated: IsProtocolNegated));
        if (Source is { } source) clauses.AddAddress(source, IsSourceNegated, Field.Source, Field.SourceHigh);
        if (Destination is { } destination)
            clauses.AddAddress(destination, IsDestinationNegated, Field.Destination, Field.DestinationHigh);
        if (IsLaterFragment is { } later) clauses.Add(Term.Equal(Field.LaterFragment, later ? 1UL : 0));
        foreach (var match in Matches) match.AddTo(clauses);
        return clauses.Terms;
    }

    private static string Not(bool isNegated) => isNegated ? " !" : "";

    private static string Address(string option, AddressPrefix? prefix, bool isNegated) =>
        prefix is { } p && (p.Mask != 0 || isNegated) ? $"{Not(isNegated)} {option} {p}" : "";

    private static string Interface(string option, InterfacePattern? pattern) =>
        pattern is { } p && (p.Name != "+" || p.IsNegated)
            ? $"{Not(p.IsNegated)} {option} {RuleWords.Quote(p.Name)}"
            : "";
}
