using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Dialect;

/// <summary>The names of the program: those of the service's C#, made different where they are the same.</summary>
internal sealed class ProgramNames
{
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
    private readonly List<(string Type, string Name)> _locals = [];

    /// <summary>The registers and memories that have a name, with it.</summary>
    public IReadOnlyDictionary<StateElement, string> State => _state;

    /// <summary>The variables, with their types.</summary>
    public IReadOnlyList<(string Type, string Name)> Locals => _locals;

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
        var name = Unique(NameOf(value, 3) ?? (value.Width == 1 ? "condition" : "data"));
        _locals.Add((TypeOf(value.Width), name));
        return _values[value] = name;
    }

    /// <summary>A variable beside those of values.</summary>
    public string Variable(string name, int width)
    {
        name = Unique(name);
        _locals.Add((TypeOf(width), name));
        return name;
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
}
