using System.Text;
using System.Text.RegularExpressions;

namespace Emu.Services;

/// <summary>The form of iptables-save: a table, its chains with their policies, their rules.</summary>
internal static partial class SavedRules
{
    public static string Save(RuleSet rules, bool withCounts)
    {
        var text = new StringBuilder("*filter\n");
        List<Chain> chains = [.. Listing.InOrder(rules)];
        foreach (var chain in chains)
            text.Append($":{chain.Name} {(chain.IsBuiltIn ? chain.Policy : "-")} {chain.Count}\n");
        foreach (var chain in chains)
            foreach (var rule in chain.Rules)
                text.Append($"{(withCounts ? $"{rule.Count} " : "")}-A {chain.Name}{rule.Save()}\n");
        return text.Append("COMMIT\n").ToString();
    }

    public static void Restore(RuleSet rules, string text, string name)
    {
        var read = new RuleSet(rules.Family);
        var (isInTable, isCommitted) = (false, false);
        var lines = text.ReplaceLineEndings("\n").Split('\n');
        for (var i = 0; i < lines.Length; i++)
        {
            try
            {
                var line = lines[i].Trim();
                if (line.Length == 0 || line[0] == '#') continue;
                if (line[0] == '*') isInTable = Begin(line);
                else if (!isInTable) throw new RuleException($"'{line}' is in no table; the first line is *filter");
                else if (line == "COMMIT") (isInTable, isCommitted) = (false, true);
                else if (line[0] == ':') Declare(read, line);
                else read.Execute(Counters().Replace(line, ""), isInFile: true);
            }
            catch (RuleException refused)
            {
                throw new RuleException($"{name}:{i + 1}", refused);
            }
        }
        if (!isCommitted) throw new RuleException($"{name}: COMMIT expected at the end");
        rules.ReplaceAll(read.Chains);
    }

    private static bool Begin(string line) =>
        line == "*filter"
            ? true
            : throw new RuleException($"can't initialize table `{line[1..]}': there is only the table filter");

    /// <summary>
    /// A line such as <c>:FORWARD DROP [0:0]</c>; the counters are left out, as iptables-restore does without -c.
    /// </summary>
    private static void Declare(RuleSet rules, string line)
    {
        if (line[1..].Split(' ', StringSplitOptions.RemoveEmptyEntries) is not [var chain, var policy, ..])
            throw new RuleException($"'{line}' is not a chain with its policy such as :FORWARD ACCEPT [0:0]");
        if (rules.TryFind(chain) is { IsBuiltIn: true }) rules.Execute($"-P {chain} {policy}");
        else if (policy == "-") rules.Execute($"-N {RuleWords.Quote(chain)}");
        else throw new RuleException($"the chain {chain} is not built in, and has no policy; write :{chain} -");
    }

    [GeneratedRegex(@"^\[\d+:\d+\]\s*")]
    private static partial Regex Counters();
}
