namespace Emu.Services;

/// <summary><c>-m limit</c>: not more packets than a rate, with a burst, lets match.</summary>
internal sealed class LimitMatch : Match
{
    /// <summary>
    /// The time of a packet is kept in units of 100 µs, as by the kernel: that is what rates are rounded to.
    /// </summary>
    private const uint UnitsPerSecond = 10_000;

    private const ulong NanosecondsPerUnit = 100_000;
    private const uint DefaultBurst = 5;

    /// <summary>
    /// The credit of a kernel has 32 bits, of which each second takes 32,000 (ticks of 250 or 1000 Hz).
    /// </summary>
    private const ulong MostSeconds = uint.MaxValue / 32_000;

    private static readonly RuleOption[] s_options = [new("--limit"), new("--limit-burst")];

    private static readonly (string Unit, string Short, uint Seconds)[] s_units =
        [("second", "sec", 1), ("minute", "min", 60), ("hour", "hour", 3600), ("day", "day", 86_400)];

    private uint _period = 3600 * UnitsPerSecond / 3;
    private uint _burst = DefaultBurst;

    public override string Name => "limit";

    public override IReadOnlyList<RuleOption> Options => s_options;

    public override void Take(string option, bool isNegated, RuleWords words)
    {
        Once(option);
        if (isNegated) throw new RuleException($"{option} cannot be negated");
        if (option == "--limit") _period = Period(words.Value(option));
        else _burst = NumberRange.Number(words.Value(option), 10_000, option);
    }

    public override void Check(Rule rule)
    {
        if (_burst == 0) throw new RuleException("--limit-burst: a burst of 0 would match nothing");
        if ((ulong)_period * _burst > MostSeconds * UnitsPerSecond)
            throw new RuleException($"limit: such a burst takes more than {MostSeconds} s; lower it from {_burst}");
    }

    public override string Save() => $" --limit {Rate()}{(_burst == DefaultBurst ? "" : $" --limit-burst {_burst}")}";

    public override string List() => $" limit: avg {Rate()} burst {_burst}";

    public override void AddTo(Clauses clauses) =>
        clauses.AddLimit(new TokenBucket(_period * NanosecondsPerUnit, _burst));

    /// <summary>
    /// The time of a packet, in units. Other than elsewhere, the number is decimal always: iptables reads it with
    /// atoi(3).
    /// </summary>
    private static uint Period(string text)
    {
        var parts = text.Split('/', 2);
        var name = parts.Length == 1 ? s_units[0].Unit : parts[1];
        var unit = s_units.FirstOrDefault(u =>
            name.Length > 0 && u.Unit.StartsWith(name, StringComparison.OrdinalIgnoreCase));
        if (unit.Seconds == 0 || !RuleNumber.TryParseDecimal(parts[0], uint.MaxValue, out var packets) || packets == 0)
            throw new RuleException(
                $"bad rate `{text}'; write packets per second, minute, hour or day, such as 5/minute");
        var period = UnitsPerSecond * unit.Seconds / packets;
        return period > 0
            ? period
            : throw new RuleException($"rate too fast `{text}': at most {UnitsPerSecond} packets a second");
    }

    /// <summary>In the largest unit in which the period goes about evenly, as iptables prints it.</summary>
    private string Rate()
    {
        var printed = s_units[^1];
        for (var i = s_units.Length - 2; i >= 0; i--)
        {
            var units = s_units[i].Seconds * UnitsPerSecond;
            if (_period > units || units / _period < units % _period) break;
            printed = s_units[i];
        }
        return $"{printed.Seconds * UnitsPerSecond / _period}/{printed.Short}";
    }
}
