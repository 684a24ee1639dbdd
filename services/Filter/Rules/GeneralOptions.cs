namespace Emu.Services;

/// <summary>
/// The options that iptables has whatever the rule is: commands, those of every rule, and those of the output.
/// </summary>
internal static class GeneralOptions
{
    private static readonly RuleOption[] s_all =
    [
        new("--append", "-A"), new("--delete", "-D"), new("--check", "-C"), new("--insert", "-I"),
        new("--replace", "-R"), new("--new-chain", "-N"), new("--rename-chain", "-E"), new("--policy", "-P"),
        new("--list", "-L", OptionValue.Optional), new("--list-rules", "-S", OptionValue.Optional),
        new("--flush", "-F", OptionValue.Optional), new("--zero", "-Z", OptionValue.Optional),
        new("--delete-chain", "-X", OptionValue.Optional),

        new("--source", "-s"), new("--src", "-s"), new("--destination", "-d"), new("--dst", "-d"),
        new("--protocol", "-p"), new("--in-interface", "-i"), new("--out-interface", "-o"),
        new("--match", "-m"), new("--jump", "-j"), new("--goto", "-g"), new("--set-counters", "-c"),

        new("--table", "-t"), new("--ipv4", "-4", OptionValue.None), new("--ipv6", "-6", OptionValue.None),
        new("--numeric", "-n", OptionValue.None), new("--verbose", "-v", OptionValue.None),
        new("--exact", "-x", OptionValue.None), new("--line-numbers", "--line-numbers", OptionValue.None),
        new("--wait", "-w", OptionValue.Optional), new("--wait-interval", "-W", OptionValue.Optional),
        new("--version", "-V", OptionValue.None) { IsDone = false },
        new("--help", "-h", OptionValue.Optional) { IsDone = false }, new("--modprobe", "-M") { IsDone = false },
    ];

    private static readonly RuleOption s_fragments = new("--fragments", "-f", OptionValue.None);

    /// <summary>Those of the program: ip6tables has no <c>-f</c>.</summary>
    public static IEnumerable<RuleOption> Of(IPFamily family) =>
        family == IPFamily.IPv4 ? [.. s_all, s_fragments] : s_all;
}
