namespace Emu.Services;

/// <summary>Writes the rules that a packet can meet in one row of steps.</summary>
/// <param name="rules">The rules to compile.</param>
internal sealed class RuleCompiler(RuleSet rules)
{
    /// <summary>
    /// More than this many steps is no rule set that somebody wrote, but chains that multiply each other.
    /// </summary>
    private const int MostSteps = 16_384;

    /// <summary>The steps from the last to the first, so that those that follow one are there before it.</summary>
    private readonly List<(Rule Rule, int? Then, int? Else)> _steps = [];

    private readonly List<RejectKind> _rejections = [];
    private readonly List<TokenBucket> _limits = [];

    /// <summary>A chain that is reached twice has its limits once.</summary>
    private readonly Dictionary<Rule, IReadOnlyList<Term>> _termsOf = new(ReferenceEqualityComparer.Instance);

    public static RuleProgram Compile(RuleSet rules, bool counts)
    {
        var compiler = new RuleCompiler(rules);
        var forward = rules.Chain(Targets.Forward);
        compiler.Add(forward, null);
        return compiler.Program(forward, counts);
    }

    /// <summary>The first step of a chain behind which a packet goes on with a step; null is the policy.</summary>
    private int? Add(Chain chain, int? next)
    {
        var following = next;
        foreach (var rule in Enumerable.Reverse(chain.Rules))
        {
            if (_steps.Count >= MostSteps)
                throw new RuleException($"more than {MostSteps} rules, chains counted once for each jump to them");
            var then = rule.Target == Targets.Return ? next
                : rule.IsJump ? Add(rules.Chain(rule.Target), rule.IsGoto ? next : following)
                : following;
            _steps.Add((rule, then, following));
            following = _steps.Count - 1;
        }
        return following;
    }

    private RuleProgram Program(Chain forward, bool counts)
    {
        _steps.Reverse();
        int PlaceOf(int? step) => _steps.Count - 1 - step ?? _steps.Count;
        var steps = new List<Step>();
        var terms = new List<Term>();
        foreach (var (rule, then, @else) in _steps)
        {
            var first = terms.Count;
            terms.AddRange(Terms(rule));
            steps.Add(new Step(VerdictOf(rule), first, terms.Count, PlaceOf(then), PlaceOf(@else)));
        }
        var policy = forward.Policy == Targets.Accept ? Verdict.Accept : Verdict.Drop;
        return new RuleProgram([.. steps], [.. terms], policy, [.. _rejections])
        {
            Limits = [.. _limits],
            Counts = counts ? [.. _steps.Select(step => step.Rule.Count), forward.Count] : [],
            TracksConnections = terms.Exists(term => term.Field == Field.ConnectionState),
        };
    }

    private IReadOnlyList<Term> Terms(Rule rule)
    {
        if (!_termsOf.TryGetValue(rule, out var terms)) _termsOf.Add(rule, terms = rule.Terms(_limits));
        return terms;
    }

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
