namespace Emu.Services;

/// <summary>
/// The rules of a chain and of those that it jumps to, as steps and terms that do not change any more.
/// </summary>
internal sealed class RuleProgram
{
    /// <summary>Runs of steps whose outcomes are kept in one word.</summary>
    private const int GroupSize = 64;

    /// <summary>Bits of a verdict.</summary>
    private const int VerdictBits = 5;

    private readonly Step[] _steps;
    private readonly Term[] _terms;
    private readonly Verdict _policy;
    private readonly ulong[] _verdicts;

    /// <param name="steps">In the order in which they are tried.</param>
    /// <param name="terms">Of all steps.</param>
    /// <param name="policy">If none decides.</param>
    /// <param name="runs">The verdict of each run of steps that have the same.</param>
    /// <param name="rejections">The meaning of the verdicts from <see cref="Verdict.Reject"/> on.</param>
    public RuleProgram(Step[] steps, Term[] terms, Verdict policy, Verdict[] runs, RejectKind[] rejections)
    {
        (_steps, _terms, _policy) = (steps, terms, policy);
        (Types, Codes) = ([.. rejections.Select(kind => kind.Type)], [.. rejections.Select(kind => kind.Code)]);
        _verdicts = new ulong[(runs.Length + GroupSize - 1) / GroupSize * VerdictBits];
        for (var i = 0; i < runs.Length; i++)
        {
            for (var bit = 0; bit < VerdictBits; bit++)
                _verdicts[i / GroupSize * VerdictBits + bit] |= (ulong)((int)runs[i] >> bit & 1) << i % GroupSize;
        }
    }

    /// <summary>Why the rules do not compile to a circuit; null if they do.</summary>
    public NotSupportedException? NotInCircuits { get; init; }

    /// <summary>True if a rule asks for the state of connections.</summary>
    public bool TracksConnections { get; init; }

    /// <summary>The limits of rules, by their number.</summary>
    public TokenBucket[] Limits { get; init; } = [];

    /// <summary>The count of each step, and last that of the policy; empty if rules are not counted.</summary>
    public RuleCount[] Counts { get; init; } = [];

    /// <summary>True if a rule rejects.</summary>
    public bool CanReject => Types.Length > 0;

    /// <summary>The types of the ICMP errors of rejections, by their verdict; 0 for a reset.</summary>
    private byte[] Types { get; }

    private byte[] Codes { get; }

    /// <summary>The type of the error of a rejection, 0 for a reset, and its code.</summary>
    public (byte Type, byte Code) Rejection(Verdict verdict) =>
        (Types[verdict - Verdict.Reject], Codes[verdict - Verdict.Reject]);

    /// <summary>The verdict of the first step that decides, else the policy.</summary>
    [CompiledAs(nameof(DecideAtOnce))]
    public Verdict Decide(in PacketFields packet)
    {
        for (var at = 0; at < _steps.Length;)
        {
            ref readonly var step = ref _steps[at];
            var holds = step.Kind == StepKind.LeaveBehind || Matches(step, packet);
            if (holds && step.Kind != StepKind.LeaveBehind) Count(at, packet);
            if (holds && step.Kind == StepKind.Decide) return step.Verdict;
            at = holds ? step.Then : step.Else;
        }
        Count(_steps.Length, packet);
        return _policy;
    }

    /// <summary>
    /// <see cref="Decide"/> for a circuit: all steps are tried, each run of equal verdicts leaves a bit, and the lowest
    /// bit counts. So there is no chain of choices as long as the rules;
    /// a level of jumps is a bit that says whether its steps are reached.
    /// </summary>
    internal Verdict DecideAtOnce(in PacketFields packet)
    {
        if (NotInCircuits is not null) throw NotInCircuits;
        var verdict = Verdict.None;
        var (deciding, reached) = (0UL, 1UL);
        var (at, matches, holds) = (0, true, false);
        // Two loops, since none of more iterations than that is written out.
        for (var from = 0; from < _terms.Length; from += GroupSize)
        {
            for (var i = 0; i < GroupSize && from + i < _terms.Length; i++)
            {
                var term = _terms[from + i];
                var step = _steps[at];
                var isReached = (reached >> step.Level & 1) != 0;
                if (term.Field != Field.Limit) holds |= term.Holds(packet[term.Field]);
                // Only packets that come so far take of a rate.
                else if (matches & isReached & deciding == 0 & verdict == Verdict.None)
                    holds |= Limits[term.First].TryTake(packet.Time);
                matches &= holds | !term.EndsClause;
                holds &= !term.EndsClause;
                if (!term.EndsStep) continue;
                var isTaken = matches & isReached;
                matches = true;
                at++;
                if (step.Kind == StepKind.Decide) deciding |= (isTaken ? 1UL : 0) << step.Run % GroupSize;
                else if (step.Kind == StepKind.Enter)
                    reached = reached & ~(2UL << step.Level) | (isTaken ? 2UL : 0) << step.Level;
                else if (step.Kind is StepKind.Leave or StepKind.LeaveBehind)
                    reached &= ~((isTaken ? 1UL : 0) << step.Level);
                if (at < _steps.Length && _steps[at].Run / GroupSize == step.Run / GroupSize) continue;
                if (verdict == Verdict.None) verdict = First(deciding, step.Run / GroupSize);
                deciding = 0;
            }
        }
        return verdict == Verdict.None ? _policy : verdict;
    }

    /// <summary>The verdict of the lowest bit.</summary>
    private Verdict First(ulong deciding, int group)
    {
        if (_verdicts.Length == 0) return Verdict.None;
        var first = deciding & (0 - deciding);
        var verdict = 0;
        for (var bit = 0; bit < VerdictBits; bit++)
            verdict |= ((first & _verdicts[group * VerdictBits + bit]) != 0 ? 1 : 0) << bit;
        return (Verdict)verdict;
    }

    private bool Matches(in Step step, in PacketFields packet)
    {
        var holds = false;
        for (var i = step.FirstTerm; i < step.EndTerm; i++)
        {
            ref readonly var term = ref _terms[i];
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
