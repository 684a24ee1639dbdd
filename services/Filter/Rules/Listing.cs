using System.Text;

namespace Emu.Services;

/// <summary>What <c>-S</c> and <c>-L</c> print; addresses and ports as numbers always, as with <c>-n</c>.</summary>
internal static class Listing
{
    /// <summary>The chains in the order of iptables: those built in, then the others by name.</summary>
    public static IEnumerable<Chain> InOrder(RuleSet rules) =>
        [.. rules.Chains.Where(c => c.IsBuiltIn), .. rules.Chains.Where(c => !c.IsBuiltIn).OrderBy(c => c.Name, StringComparer.Ordinal)];

    /// <summary>All chains; their heads before their rules where commands are printed.</summary>
    public static string All(RuleSet rules, Func<Chain, int?, string> print)
    {
        List<Chain> chains = [.. InOrder(rules)];
        return print == Commands
            ? string.Concat(chains.Select(Head).Concat(chains.Select(Appends)))
            : string.Join('\n', chains.Select(chain => print(chain, null)));
    }

    /// <summary>The commands that make a chain, or one rule of it.</summary>
    public static string Commands(Chain chain, int? number)
    {
        if (number is null) return Head(chain) + Appends(chain);
        return number <= chain.Rules.Count ? $"-A {chain.Name}{chain.Rules[number.Value - 1].Save()}\n" : "";
    }

    /// <summary>A table of a chain, or one row of it.</summary>
    public static string Table(RuleSet rules, Chain chain, int? number, bool isVerbose, bool hasNumbers)
    {
        var text = new StringBuilder();
        if (number is null) text.Append(Title(rules, chain, isVerbose)).Append(hasNumbers ? "num  " : "").Append(Columns(isVerbose));
        for (var i = 0; i < chain.Rules.Count; i++)
        {
            if (number is not null && number != i + 1) continue;
            if (hasNumbers) text.Append($"{i + 1,-4} ");
            text.Append(Row(chain.Rules[i], isVerbose)).Append('\n');
        }
        return text.ToString();
    }

    private static string Head(Chain chain) => chain.IsBuiltIn ? $"-P {chain.Name} {chain.Policy}\n" : $"-N {chain.Name}\n";

    private static string Appends(Chain chain) => string.Concat(chain.Rules.Select(rule => $"-A {chain.Name}{rule.Save()}\n"));

    private static string Title(RuleSet rules, Chain chain, bool isVerbose)
    {
        var references = rules.Chains.Sum(c => c.Rules.Count(rule => rule.Target == chain.Name));
        var state = chain.IsBuiltIn ? $"policy {chain.Policy}{(isVerbose ? " 0 packets, 0 bytes" : "")}" : $"{references} references";
        return $"Chain {chain.Name} ({state})\n";
    }

    private static string Columns(bool isVerbose) => isVerbose
        ? " pkts bytes target     prot opt in     out     source               destination         \n"
        : "target     prot opt source               destination         \n";

    private static string Row(Rule rule, bool isVerbose)
    {
        var counts = isVerbose ? "    0     0 " : "";
        var protocol = $"{rule.Protocol}";
        var fragment = rule.IsLaterFragment switch { true => "-f", false => "!f", _ => "--" };
        var interfaces = isVerbose ? $"{Interface(rule.In)} {Interface(rule.Out)} " : "";
        var matches = string.Concat(rule.Matches.Select(match => match.List()));
        var reject = rule.Reject is { } kind ? $" reject-with {kind.Name}" : "";
        var way = rule.IsGoto ? "[goto] " : "";
        return $"{counts}{rule.Target,-9} {(rule.IsProtocolNegated ? '!' : ' ')}{protocol,-4} {fragment} {interfaces}"
            + $"{Address(rule, rule.Source, rule.IsSourceNegated)}{Address(rule, rule.Destination, rule.IsDestinationNegated)}{way}{matches}{reject}";
    }

    private static string Interface(InterfacePattern? pattern) =>
        $"{(pattern is { IsNegated: true } ? "!" : " ")}{(pattern is { IsAny: false } p ? p.Name : "*"),-6}";

    private static string Address(Rule rule, AddressPrefix? prefix, bool isNegated)
    {
        var any = rule.Family == IPFamily.IPv4 ? "0.0.0.0/0" : "::/0";
        return $"{(isNegated ? '!' : ' ')}{(prefix is { } p && p.Mask != 0 ? p.ToListing() : any),-19} ";
    }
}
