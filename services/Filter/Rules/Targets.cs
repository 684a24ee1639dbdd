namespace Emu.Services;

/// <summary>Names of targets and chains that are given.</summary>
internal static class Targets
{
    public const string Accept = "ACCEPT", Drop = "DROP", Reject = "REJECT", Return = "RETURN";

    public const string Input = "INPUT", Forward = "FORWARD", Output = "OUTPUT";

    /// <summary>
    /// Chains that are always there: those of the table <c>filter</c>. Packets come by <see cref="Forward"/> only.
    /// </summary>
    public static readonly string[] Chains = [Input, Forward, Output];

    /// <summary>Targets that are no chains.</summary>
    public static readonly string[] All = [Accept, Drop, Reject, Return];

    public static bool IsBuiltIn(string target) => All.Contains(target);

    /// <summary>Refuses names that a chain of the user cannot have.</summary>
    public static void CheckName(string chain)
    {
        const int most = 28;
        if (chain.Length is 0 or > most)
            throw new RuleException($"chain name `{chain}' must have 1 to {most} characters");
        if (chain[0] is '-' or '!') throw new RuleException($"chain name `{chain}' must not start with `{chain[0]}'");
        if (IsBuiltIn(chain))
            throw new RuleException($"chain name `{chain}' may clash with the target of that name; choose another");
        if (chain.Any(char.IsWhiteSpace)) throw new RuleException($"chain name `{chain}' must have no spaces");
    }
}
