namespace Emu.Services;

/// <summary>
/// The rules of a chain and of those that it jumps to, as steps and terms that do not change any more.
/// </summary>
/// <param name="steps">In the order in which they are tried.</param>
/// <param name="terms">Of all steps.</param>
/// <param name="policy">The verdict if no step has one.</param>
/// <param name="rejections">The meaning of the verdicts from <see cref="Verdict.Reject"/> on.</param>
internal sealed class RuleProgram(Step[] steps, Term[] terms, Verdict policy, RejectKind[] rejections)
{
    /// <summary>The type of the ICMP error of each rejection; 0 for a reset.</summary>
    private readonly byte[] _types = [.. rejections.Select(kind => kind.Type)];

    private readonly byte[] _codes = [.. rejections.Select(kind => kind.Code)];

    /// <summary>True if a rule asks for the state of connections.</summary>
    public bool TracksConnections { get; init; }

    /// <summary>The limits of rules, by their number.</summary>
    public TokenBucket[] Limits { get; init; } = [];

    /// <summary>The count of each step, and last that of the policy; empty if rules are not counted.</summary>
    public RuleCount[] Counts { get; init; } = [];

    /// <summary>True if a rule rejects.</summary>
    public bool CanReject => _types.Length > 0;

    /// <summary>The type of the error of a rejection, 0 for a reset, and its code.</summary>
    public (byte Type, byte Code) Rejection(Verdict verdict) =>
        (_types[verdict - Verdict.Reject], _codes[verdict - Verdict.Reject]);

    /// <summary>The verdict of the first step that matches and has one, else the policy.</summary>
    public Verdict Decide(in PacketFields packet)
    {
        for (var at = 0; at < steps.Length;)
        {
            ref readonly var step = ref steps[at];
            var matches = Matches(step, packet);
            if (matches) Count(at, packet);
            if (matches && step.Verdict != Verdict.None) return step.Verdict;
            at = matches ? step.Then : step.Else;
        }
        Count(steps.Length, packet);
        return policy;
    }

    private bool Matches(in Step step, in PacketFields packet)
    {
        var holds = false;
        for (var i = step.FirstTerm; i < step.EndTerm; i++)
        {
            ref readonly var term = ref terms[i];
            holds |= term.Field == Field.Limit
                ? Limits[term.First].TryTake(packet.Time)
                : term.Holds(packet[term.Field]);
            if (!term.EndsClause) continue;
            if (!holds) return false;
            holds = false;
        }
        return true;
    }

    private void Count(int step, in PacketFields packet)
    {
        if (Counts.Length > 0) Counts[step].Add(packet[Field.Length]);
    }
}
