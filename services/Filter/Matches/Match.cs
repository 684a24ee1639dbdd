namespace Emu.Services;

/// <summary>A match extension of a rule: what <c>-m</c> names, with its options.</summary>
internal abstract class Match
{
    private readonly HashSet<string> _taken = [];

    /// <summary>The word behind <c>-m</c>.</summary>
    public abstract string Name { get; }

    /// <summary>Its options.</summary>
    public abstract IReadOnlyList<RuleOption> Options { get; }

    /// <summary>
    /// It looks at what only packets have that were received, so that there is no use for it in OUTPUT.
    /// </summary>
    public virtual bool IsOfReceived => false;

    /// <summary>Takes one of its options, with its values.</summary>
    /// <param name="option">The key of the option.</param>
    /// <param name="isNegated">True if <c>!</c> stood before it.</param>
    /// <param name="words">Behind the option.</param>
    /// <exception cref="RuleException">Its values are wrong.</exception>
    public abstract void Take(string option, bool isNegated, RuleWords words);

    /// <summary>Refuses what does not go with the rest of the rule, once all is read.</summary>
    public virtual void Check(Rule rule)
    {
    }

    /// <summary>The options as they are saved, each with a space before it.</summary>
    public abstract string Save();

    /// <summary>As it is listed.</summary>
    public abstract string List();

    /// <summary>Adds the terms of its comparison.</summary>
    public abstract void AddTo(Clauses clauses);

    /// <summary>Refuses a second one of options that exclude each other.</summary>
    protected void Once(string group)
    {
        if (!_taken.Add(group)) throw new RuleException($"option \"{group}\" can only be used once");
    }

    protected bool Has(string group) => _taken.Contains(group);

    protected void Require(string group)
    {
        if (!Has(group)) throw new RuleException($"{Name}: option \"{group}\" must be specified");
    }

    protected static string Not(bool isNegated) => isNegated ? " !" : "";
}
