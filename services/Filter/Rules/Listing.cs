using System.Text;

namespace Emu.Services;

/// <summary>The output of <c>-S</c> and <c>-L</c>; addresses and ports as numbers always, as with <c>-n</c>.</summary>
/// <param name="rules">All chains.</param>
/// <param name="isVerbose">True to print counts and interfaces: <c>-v</c>.</param>
/// <param name="isExact">True if counts are not rounded to thousands: <c>-x</c>.</param>
/// <param name="hasNumbers">True to number the rules.</param>
internal sealed class Listing(RuleSet rules, bool isVerbose, bool isExact, bool hasNumbers)
{
    /// <summary>The chains in the order of iptables: those built in, then the others by name.</summary>
    public static IEnumerable<Chain> InOrder(RuleSet rules) =>
        [
            .. rules.Chains.Where(c => c.IsBuiltIn),
            .. rules.Chains.Where(c => !c.IsBuiltIn).OrderBy(c => c.Name, StringComparer.Ordinal),
        ];

    /// <summary>The commands that make all chains: their heads before their rules.</summary>
    public static string AllCommands(RuleSet rules, bool withCounts) =>
        string.Concat(InOrder(rules).Select(chain => Head(chain, withCounts))
            .Concat(InOrder(rules).Select(chain => Appends(chain, withCounts))));

    /// <summary>The commands that make a chain, or one rule of it.</summary>
    public static string Commands(Chain chain, int? number, bool withCounts)
    {
        if (number is null) return Head(chain, withCounts) + Appends(chain, withCounts);
        return number <= chain.Rules.Count ? Append(chain, chain.Rules[number.Value - 1], withCounts) : "";
    }

    /// <summary>A table of a chain, or one row of it.</summary>
    public string Table(Chain chain, int? number)
    {
        var text = new StringBuilder();
        if (number is null) text.Append(Title(chain)).Append(hasNumbers ? "num  " : "").Append(Columns);
        for (var i = 0; i < chain.Rules.Count; i++)
        {
            if (number is not null && number != i + 1) continue;
            if (hasNumbers) text.Append($"{i + 1,-4} ");
            text.Append(Row(chain.Rules[i])).Append('\n');
        }
        return text.ToString();
    }

    private static string Head(Chain chain, bool withCounts)
    {
        if (!chain.IsBuiltIn) return $"-N {chain.Name}\n";
        return $"-P {chain.Name} "
            + $"{chain.Policy}{(withCounts ? $" -c {chain.Count.Packets} {chain.Count.Bytes}" : "")}\n";
    }

    private static string Appends(Chain chain, bool withCounts) =>
        string.Concat(chain.Rules.Select(rule => Append(chain, rule, withCounts)));

    private static string Append(Chain chain, Rule rule, bool withCounts) =>
        $"-A {chain.Name}{rule.Save(withCounts)}\n";

    private string Columns => (isVerbose, isExact) switch
    {
        (true, true) =>
            "    pkts      bytes target     prot opt in     out     source               destination         \n",
        (true, false) => " pkts bytes target     prot opt in     out     source               destination         \n",
        _ => "target     prot opt source               destination         \n",
    };

    private string Title(Chain chain)
    {
        var references = rules.Chains.Sum(c => c.Rules.Count(rule => rule.Target == chain.Name));
        var counts = isVerbose ? $" {Rounded(chain.Count.Packets)} packets, {Rounded(chain.Count.Bytes)} bytes" : "";
        return $"Chain {chain.Name} "
            + $"({(chain.IsBuiltIn ? $"policy {chain.Policy}{counts}" : $"{references} references")})\n";
    }

    private string Row(Rule rule)
    {
        var counts = isVerbose ? $"{Count(rule.Count.Packets)} {Count(rule.Count.Bytes)} " : "";
        var protocol = $"{rule.Protocol}";
        var fragment = rule.IsLaterFragment switch { true => "-f", false => "!f", _ => "--" };
        var interfaces = isVerbose ? $" {Interface(rule.In),-6} {Interface(rule.Out),-6} " : "";
        var matches = string.Concat(rule.Matches.Select(match => match.List()));
        var reject = rule.Reject is { } kind ? $" reject-with {kind.Name}" : "";
        var way = rule.IsGoto ? "[goto] " : "";
        return $"{counts}{rule.Target,-9} {(rule.IsProtocolNegated ? '!' : ' ')}{protocol,-4} {fragment} {interfaces}"
            + $"{Address(rule, rule.Source, rule.IsSourceNegated)}"
            + $"{Address(rule, rule.Destination, rule.IsDestinationNegated)}{way}{matches}{reject}";
    }

    private string Count(ulong number) => isExact ? $"{number,8}" : $"{Rounded(number),5}";

    /// <summary>At most five characters: thousands from 100,000 on, each unit to 9,999.</summary>
    private string Rounded(ulong number)
    {
        const ulong plain = 99_999, most = 9_999, thousand = 1000;
        if (isExact || number <= plain) return $"{number}";
        foreach (var unit in "KMG")
        {
            number = (number + thousand / 2) / thousand;
            if (number <= most) return $"{number}{unit}";
        }
        return $"{(number + thousand / 2) / thousand}T";
    }

    private static string Interface(InterfacePattern? pattern) =>
        $"{(pattern is { IsNegated: true } ? "!" : "")}{(pattern is { IsAny: false } p ? p.Name : "*")}";

    private static string Address(Rule rule, AddressPrefix? prefix, bool isNegated)
    {
        var any = rule.Family == IPFamily.IPv4 ? "0.0.0.0/0" : "::/0";
        return $"{(isNegated ? '!' : ' ')}{(prefix is { } p && p.Mask != 0 ? p.ToListing() : any),-19} ";
    }
}
