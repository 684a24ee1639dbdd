namespace Emu.Services;

/// <summary>The options <c>--sport</c> and <c>--dport</c>.</summary>
internal sealed class PortOptions
{
    private static readonly NumberRange s_all = new(0, ushort.MaxValue);

    private (NumberRange Range, bool IsNegated) _source = (s_all, false), _destination = (s_all, false);

    /// <summary>The name under which an option may stand once; null if it is no option of these.</summary>
    public static string? Group(string option) => option switch
    {
        "--sport" or "--source-port" => "--source-port",
        "--dport" or "--destination-port" => "--destination-port",
        _ => null,
    };

    public void Take(string group, bool isNegated, RuleWords words)
    {
        var range = NumberRange.Parse(words.Value(group), ushort.MaxValue, group, ServiceNames.Port);
        if (group == "--source-port") _source = (range, isNegated);
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
        IsSaid(ports) ? $" {name}{(ports.Range.First == ports.Range.Last ? "" : "s")}:{(ports.IsNegated ? "!" : "")}{ports.Range}" : "";
}
