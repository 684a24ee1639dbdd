namespace Emu.Services;

/// <summary>Words for a word that should be an option and is none.</summary>
internal static class UnknownOption
{
    /// <summary>The message.</summary>
    /// <param name="word">The word.</param>
    /// <param name="known">The options that there are, as the rule is so far.</param>
    /// <param name="family">The program.</param>
    public static string Describe(string word, IReadOnlyList<RuleOption> known, IPFamily family)
    {
        if (!word.StartsWith('-') || word.Length == 1) return $"bad argument `{word}'";
        var name = word.Split('=', 2)[0];
        var candidates = name.StartsWith("--", StringComparison.Ordinal) ? RuleOption.Candidates(known, name) : [];
        if (candidates.Count > 1)
        {
            var names = string.Join(", ", candidates.Select(option => option.Name));
            return $"unknown option \"{name}\": it is the beginning of {names}";
        }
        return candidates.Count == 1
            ? $"option \"{candidates[0].Name}\" takes no argument"
            : $"unknown option \"{word}\"{Hint(name, family)}";
    }

    private static string Hint(string option, IPFamily family) => option switch
    {
        "--sport" or "--dport" or "--source-port" or "--destination-port" => ": it needs -p tcp or -p udp before it",
        "--syn" or "--tcp-flags" => ": it needs -p tcp before it",
        "--icmp-type" or "--icmpv6-type" when family == IPFamily.IPv4 => ": it needs -p icmp and --icmp-type",
        "--icmp-type" or "--icmpv6-type" => ": it needs -p icmpv6 and --icmpv6-type",
        "--reject-with" => ": it needs -j REJECT before it",
        "--sports" or "--dports" or "--ports" => ": it needs -m multiport before it",
        _ => "",
    };
}
