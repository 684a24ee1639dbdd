namespace Emu.Services;

/// <summary>Writes the rules that a packet can meet in one row of steps.</summary>
/// <param name="rules">The rules to compile.</param>
internal sealed class RuleCompiler(RuleSet rules)
{
    /// <summary>
    /// More than this many steps is no rule set that somebody wrote, but chains that multiply each other.
    /// </summary>
    private const int MostSteps = 16_384;

    /// <summary>The levels that a word of bits has room for.</summary>
    private const int MostLevels = 64;

    private readonly List<Step> _steps = [];
    private readonly List<Term> _terms = [];
    private readonly List<RejectKind> _rejections = [];
    private readonly List<Verdict> _runs = [];
    private readonly List<TokenBucket> _limits = [];
    private readonly List<RuleCount> _counts = [];

    /// <summary>A chain that is reached twice has its limits once.</summary>
    private readonly Dictionary<Rule, IReadOnlyList<Term>> _termsOf = new(ReferenceEqualityComparer.Instance);

    public static RuleProgram Compile(RuleSet rules, bool counts)
    {
        var compiler = new RuleCompiler(rules);
        var forward = rules.Chain(Targets.Forward);
        compiler.Add(forward, 0);
        var policy = forward.Policy == Targets.Accept ? Verdict.Accept : Verdict.Drop;
        return new RuleProgram(
            [.. compiler._steps], [.. compiler._terms], policy, [.. compiler._runs], [.. compiler._rejections])
        {
            Limits = [.. compiler._limits],
            Counts = counts ? [.. compiler._counts, forward.Count] : [],
            TracksConnections = compiler._terms.Exists(term => term.Field == Field.ConnectionState),
            NotInCircuits = counts
                ? new NotSupportedException("rules are not counted in a circuit; leave out --count-rules")
                : null,
        };
    }

    private void Add(Chain chain, byte level)
    {
        if (level == MostLevels)
            throw new RuleException($"the chain {chain.Name} is reached by more than {MostLevels - 1} jumps");
        var leaving = new List<int>();
        foreach (var rule in chain.Rules)
        {
            var at = _steps.Count;
            Add(
                rule,
                level,
                rule.Target == Targets.Return ? StepKind.Leave : rule.IsJump ? StepKind.Enter : KindOf(rule));
            if (rule.Target == Targets.Return) leaving.Add(at);
            if (!rule.IsJump) continue;
            Add(rules.Chain(rule.Target), (byte)(level + 1));
            if (rule.IsGoto)
            {
                leaving.Add(_steps.Count);
                Add(rule, level, StepKind.LeaveBehind);
            }
            _steps[at] = _steps[at] with { Else = _steps.Count };
        }
        foreach (var at in leaving) _steps[at] = _steps[at] with { Then = _steps.Count };
    }

    private void Add(Rule rule, byte level, StepKind kind)
    {
        if (_steps.Count == MostSteps)
            throw new RuleException($"more than {MostSteps} rules, chains counted once for each jump to them");
        var first = _terms.Count;
        _terms.AddRange(Terms(rule));
        if (_terms.Count == first) _terms.Add(Term.Always);
        _terms[^1] = _terms[^1] with { EndsStep = true };
        var verdict = VerdictOf(rule);
        if (kind == StepKind.Decide && (_runs.Count == 0 || _runs[^1] != verdict)) _runs.Add(verdict);
        _counts.Add(rule.Count);
        var next = _steps.Count + 1;
        _steps.Add(new Step(kind, verdict, first, _terms.Count, level, Math.Max(0, _runs.Count - 1), next, next));
    }

    private IReadOnlyList<Term> Terms(Rule rule)
    {
        if (!_termsOf.TryGetValue(rule, out var terms)) _termsOf.Add(rule, terms = rule.Terms(_limits));
        return terms;
    }

    private static StepKind KindOf(Rule rule) => rule.Target.Length == 0 ? StepKind.Continue : StepKind.Decide;

    private Verdict VerdictOf(Rule rule)
    {
        if (rule.Reject is not { } kind)
            return rule.Target switch
            {
                Targets.Accept => Verdict.Accept,
                Targets.Drop => Verdict.Drop,
                _ => Verdict.None,
            };
        if (!_rejections.Contains(kind)) _rejections.Add(kind);
        return Verdict.Reject + (byte)_rejections.IndexOf(kind);
    }
}
