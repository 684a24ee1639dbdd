namespace Emu.Services;

/// <summary>The options <c>--sport</c> and <c>--dport</c>.</summary>
/// <param name="number">Reads a port.</param>
internal sealed class PortOptions(Func<string, string, uint> number)
{
    public static readonly RuleOption[] Options =
    [
        new("--source-port"), new("--sport", "--source-port"),
        new("--destination-port"), new("--dport", "--destination-port"),
    ];

    private static readonly NumberRange s_all = new(0, ushort.MaxValue);

    private (NumberRange Range, bool IsNegated) _source = (s_all, false), _destination = (s_all, false);

    /// <summary>A port by its name or its number, as iptables reads those of TCP, and of multiport.</summary>
    public static uint Number(string text, string option) =>
        ServiceNames.Port(text) ?? NumberRange.Number(text, ushort.MaxValue, option);

    /// <summary>
    /// Likewise, as iptables reads those of UDP: with getaddrinfo(3), for which a number is decimal always.
    /// </summary>
    public static uint DecimalNumber(string text, string option)
    {
        if (ServiceNames.Port(text) is { } named) return named;
        return RuleNumber.TryParseDecimal(text, ushort.MaxValue, out var port)
            ? port
            : throw new RuleException($"{option}: '{text}' is not a decimal number from 0 to {ushort.MaxValue}");
    }

    public void Take(string option, bool isNegated, RuleWords words)
    {
        var range = NumberRange.Parse(words.Value(option), ushort.MaxValue, option, text => number(text, option));
        if (option == "--source-port") _source = (range, isNegated);
        else _destination = (range, isNegated);
    }

    public string Save() => Save("--sport", _source) + Save("--dport", _destination);

    public string List() => List("spt", _source) + List("dpt", _destination);

    public void AddTo(Clauses clauses)
    {
        clauses.Add(Term.Equal(Field.LaterFragment, 0));
        Add(Field.SourcePort, _source);
        Add(Field.DestinationPort, _destination);

        void Add(Field field, (NumberRange Range, bool IsNegated) ports)
        {
            if (IsSaid(ports)) clauses.Add(Term.Within(field, ports.Range.First, ports.Range.Last, ports.IsNegated));
        }
    }

    private static bool IsSaid((NumberRange Range, bool IsNegated) ports) => ports.IsNegated || ports.Range != s_all;

    private static string Save(string option, (NumberRange Range, bool IsNegated) ports) =>
        IsSaid(ports) ? $"{(ports.IsNegated ? " !" : "")} {option} {ports.Range}" : "";

    private static string List(string name, (NumberRange Range, bool IsNegated) ports) =>
        IsSaid(ports)
            ? $" {name}{(ports.Range.First == ports.Range.Last ? "" : "s")}:{(ports.IsNegated ? "!" : "")}{ports.Range}"
            : "";
}
