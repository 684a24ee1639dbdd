using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Dialect;

/// <summary>
/// The names of the program: those of the service's C#, made different where they are the same. Values of one name and
/// type share variables, so that a method has few of them.
/// </summary>
internal sealed class ProgramNames(LiveRanges ranges)
{
    /// <summary>
    /// The variables whose values have one name. KiwiC 0.3.9b takes 256 in a method, with those that mcs adds; what is
    /// left over is for values of all names.
    /// </summary>
    private const int NamedVariables = 192;

    private static readonly string[] s_keywords =
    [
        "base", "bool", "byte", "case", "checked", "const", "continue", "default", "do", "else", "event", "false",
        "fixed", "for", "goto", "if", "in", "int", "internal", "is", "lock", "long", "new", "null", "object",
        "operator", "out", "override", "params", "private", "public", "ref", "return", "short", "static", "string",
        "switch", "this", "true", "try", "uint", "ulong", "using", "value", "void", "while",
    ];

    private readonly HashSet<string> _used = [.. s_keywords];
    private readonly Dictionary<StateElement, string> _state = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Value, string> _values = new(ReferenceEqualityComparer.Instance);
    private readonly List<Variable> _variables = [];

    /// <summary>The registers and memories that have a name, with it.</summary>
    public IReadOnlyDictionary<StateElement, string> State => _state;

    /// <summary>The variables, with their types.</summary>
    public IEnumerable<(string Type, string Name)> Locals =>
        _variables.Select(variable => (variable.Type, variable.Name));

    /// <summary>The name of a register or a memory.</summary>
    public string Of(StateElement element)
    {
        if (_state.TryGetValue(element, out var known)) return known;
        return _state[element] = Unique(Netlist.SnakeCase(element.Name));
    }

    /// <summary>The name of a value's variable.</summary>
    public string Of(Value value)
    {
        if (_values.TryGetValue(value, out var known)) return known;
        var name = NameOf(value, 3) ?? (value.Width == 1 ? "condition" : "data");
        return _values[value] = Share(name, value.Width, ranges.Of(value));
    }

    /// <summary>A variable for what is no value.</summary>
    public string Temporary(string name, int width, LiveRange range) => Share(name, width, range);

    /// <summary>
    /// The first variable of that name and type which nothing needs there; of another name when there are many. What a
    /// state holds for the next is a register, and one that holds several things needs a choice in front of it: so only
    /// values inside one state share, as long as there are few.
    /// </summary>
    private string Share(string name, int width, LiveRange range)
    {
        var type = TypeOf(width);
        var areMany = _variables.Count >= NamedVariables;
        var free = _variables.Where(v => v.Type == type && !v.Ranges.Exists(range.Overlaps)
            && (areMany || range.IsInOneState && v.Ranges.TrueForAll(other => other.IsInOneState)));
        var variable = free.FirstOrDefault(v => v.Asked == name)
            ?? (areMany ? free.FirstOrDefault() : null);
        if (variable is null) _variables.Add(variable = new Variable(name, type, Unique(name), []));
        variable.Ranges.Add(range);
        return variable.Name;
    }

    /// <summary>A name that nothing has yet.</summary>
    public string Unique(string name)
    {
        var words = name.Split('_', StringSplitOptions.RemoveEmptyEntries);
        if (words.Length == 0) words = ["data"];
        var camel = words[0] + string.Concat(words.Skip(1).Select(word => char.ToUpperInvariant(word[0]) + word[1..]));
        if (char.IsAsciiDigit(camel[0])) camel = "n" + camel;
        var unique = camel;
        var separator = char.IsAsciiDigit(camel[^1]) ? "_" : "";
        for (var number = 2; !_used.Add(unique); number++) unique = $"{camel}{separator}{number}";
        return unique;
    }

    /// <summary>Keeps a name for something else.</summary>
    public void Reserve(string name) => _used.Add(name);

    /// <summary>The type of a variable.</summary>
    public static string TypeOf(int width) => width switch
    {
        1 => "bool",
        <= 32 => "uint",
        _ => "ulong",
    };

    /// <summary>The type of a word of memory.</summary>
    public static string WordOf(int width) => width switch
    {
        <= 8 => "byte",
        <= 16 => "ushort",
        _ => "uint",
    };

    private static string? NameOf(Value value, int depth)
    {
        if (value is Operation { Location.Name: { } name }) return Netlist.SnakeCase(name);
        IReadOnlyList<Value> operands = value switch
        {
            _ when depth == 0 => [],
            Operation operation => operation.Operands,
            Phi phi => phi.Operands,
            _ => [],
        };
        return operands.Select(operand => NameOf(operand, depth - 1)).FirstOrDefault(found => found is not null);
    }

    /// <summary>A variable.</summary>
    /// <param name="Asked">The name that was asked for.</param>
    /// <param name="Type">Its type.</param>
    /// <param name="Name">Its name.</param>
    /// <param name="Ranges">The ranges in which it is needed.</param>
    private sealed record Variable(string Asked, string Type, string Name, List<LiveRange> Ranges);
}
