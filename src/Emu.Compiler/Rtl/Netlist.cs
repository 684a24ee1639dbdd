using System.Text.RegularExpressions;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Rtl;

/// <summary>Builds a design: values in their simplest form, each once; names, each once.</summary>
internal sealed partial class Netlist : FoldingBuilder
{
    /// <summary>Operands of operands that are looked through for a name.</summary>
    private const int NameDepth = 4;

    private readonly Dictionary<OperationKey, Operation> _operations = [];
    private readonly Dictionary<string, int> _names = [];
    private readonly Dictionary<Value, UInt128> _most = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Value, (string Name, int Place)> _described = new(ReferenceEqualityComparer.Instance);
    private Section _section;

    public Netlist(Design design)
    {
        Design = design;
        _section = new Section("");
        foreach (var port in new[] { design.Clock.Clock, design.Clock.Reset }) _names[port] = 1;
    }

    /// <summary>The design that is built.</summary>
    public Design Design { get; }

    /// <summary>
    /// The part of the design that is made, where there are several of a kind: its names and the titles of its
    /// sections begin with it. Null for none.
    /// </summary>
    public (string Kind, int Number)? Part { get; set; }

    private string Prefix => Part is var (kind, number) ? $"{SnakeCase(kind)}_{number}_" : "";

    /// <summary>Begins a section: what is added next belongs to it.</summary>
    public Section Begin(string title)
    {
        Location = null;
        _section = Part is var (kind, number)
            ? new Section($"{kind} {number}: {title}", $"each {kind}: {title}")
            : new Section(title);
        Design.Sections.Add(_section);
        return _section;
    }

    /// <summary>Goes on with a section; what is made next is the layout's own until a C# line is set.</summary>
    public void Continue(Section section) => (_section, Location) = (section, null);

    public InputPort Input(string name, int width)
    {
        var port = new InputPort(Unique(name), width);
        Design.Inputs.Add(port);
        return port;
    }

    public void Parameter(string name, int width, UInt128 number) =>
        Design.Parameters.Add(new Parameter(Unique(name), width, number));

    public void Output(string name, params IReadOnlyList<Value> parts) =>
        Design.Outputs.Add(new OutputPort(Unique(name), parts));

    public Flop AddFlop(string name, int width, UInt128? reset, string? comment = null)
    {
        var flop = new Flop(Unique(name, "_reg"), width, reset) { Comment = comment, Location = Location };
        _section.Items.Add(flop);
        return flop;
    }

    /// <summary>A register that takes a value in every cycle, or in those in which it is enabled.</summary>
    public Flop Registered(string name, Value value, UInt128? reset = null, Value? enable = null)
    {
        var flop = AddFlop(name, value.Width, reset);
        (flop.Next, flop.Enable) = (value, enable);
        return flop;
    }

    /// <summary>
    /// A flop that is printed as a part of a vector, beside others of the same name: see <see cref="Flop.Vector"/>.
    /// </summary>
    /// <param name="vector">The name of the vector.</param>
    /// <param name="place">Its place there, as of bytes by their offset.</param>
    /// <param name="width">The width in bits.</param>
    /// <param name="stage">The stage of a pipeline in which it is there; null where there is none.</param>
    public Flop AddPart(string vector, int place, int width, int? stage = null)
    {
        var flop = new Flop(Unique(stage is null ? vector : $"s{stage}_{vector}", "_reg"), width, null)
        {
            Location = Location,
            Vector = Prefix + vector,
            Place = place,
            Stage = stage,
        };
        _section.Items.Add(flop);
        return flop;
    }

    /// <summary>The same as a part of a vector.</summary>
    public Flop RegisteredPart(string vector, int place, Value value, Value? enable = null, int? stage = null)
    {
        var flop = AddPart(vector, place, value.Width, stage);
        (flop.Next, flop.Enable) = (value, enable);
        return flop;
    }

    /// <summary>Names a value that has no name yet: registers that carry it are named after that.</summary>
    /// <param name="value">The value.</param>
    /// <param name="name">A name of C#.</param>
    /// <param name="place">Its place among values of the same name, as of bytes by their offset.</param>
    public void Describe(Value value, string name, int place = 0) =>
        _described.TryAdd(value, (SnakeCase(name), place));

    /// <summary>The name of a value in C#, as Verilog writes it, and its place among values of the same name.</summary>
    public (string Name, int Place) NameOf(Value value)
    {
        if (_described.TryGetValue(value, out var known)) return known;
        return value switch
        {
            IDesignItem item => (item.Name, 0),
            _ => (NameOf(value, NameDepth) ?? (value.Width == 1 ? "condition" : "data"), 0),
        };
    }

    /// <summary>The name of what a value is, or of the first of its operands that has one.</summary>
    private string? NameOf(Value value, int depth)
    {
        if (_described.TryGetValue(value, out var known)) return known.Name;
        if (value is Operation { Location.Name: { } name }) return SnakeCase(name);
        IReadOnlyList<Value> operands = value switch
        {
            _ when depth == 0 => [],
            Operation operation => operation.Operands,
            Phi phi => phi.Operands,
            _ => [],
        };
        return operands.Select(operand => NameOf(operand, depth - 1)).FirstOrDefault(found => found is not null);
    }

    public Value AddWire(string name, Value source, string? comment = null)
    {
        if (source is Constant or Wire or Flop) return source;
        var wire = new Wire(Unique(name), source) { Comment = comment };
        _section.Items.Add(wire);
        return wire;
    }

    /// <summary>Text that a simulation prints at an edge.</summary>
    public void Display(Value condition, IReadOnlyList<TextPart> text, IReadOnlyList<Value> values)
    {
        if (Constant.Is(condition, 0)) return;
        var (parts, next) = (new List<TextPart>(), 0);
        var items = new List<IDesignItem>();
        foreach (var part in text)
        {
            var value = part.TakesOperand ? values[next++] : null;
            if (value is Constant constant) parts.Add(new LiteralText(part.Format(constant.Bits, constant.Width)));
            else parts.Add(part);
            if (value is not (null or Constant)) items.Add(Named("printed", value));
        }
        Design.Displays.Add(new Display(Named("print", condition), parts, items));
    }

    private IDesignItem Named(string name, Value value)
    {
        if (value is IDesignItem item) return item;
        var wire = new Wire(Unique(name), value);
        _section.Items.Add(wire);
        return wire;
    }

    /// <summary>A wire that is declared before its source is known, which is set later.</summary>
    public Wire DeclareWire(string name, int width, string? comment = null)
    {
        var wire = new Wire(Unique(name), Zero(width)) { Comment = comment };
        _section.Items.Add(wire);
        return wire;
    }

    public Ram AddRam(string name, int width, int depth, IReadOnlyList<UInt128>? initial = null, string? comment = null)
    {
        var ram = new Ram(Unique(name), width, depth, initial) { Comment = comment };
        _section.Items.Add(ram);
        return ram;
    }

    public RamRead AddRead(string name, Ram ram, Value address, bool isRegistered, Value? enable = null)
    {
        var read = new RamRead(Unique(name), ram, address, isRegistered, enable);
        _section.Items.Add(read);
        return read;
    }

    /// <summary>A module that stands for a method; its inputs are set later.</summary>
    public CoreInstance AddCore(VerilogCore core)
    {
        var instance = new CoreInstance(Unique(SnakeCase(core.Name)), core);
        _section.Items.Add(instance);
        return instance;
    }

    /// <summary>Has a module called when a bit is 1; of several that do, one is 1 at any time.</summary>
    public void Call(CoreInstance instance, Value valid, IReadOnlyList<Value> operands)
    {
        instance.Operands = Constant.Is(instance.Valid, 0)
            ? operands
            : [.. instance.Operands.Zip(operands, (other, mine) => Select(valid, mine, other))];
        instance.Valid = Or(instance.Valid, valid);
    }

    /// <summary>
    /// A one-hot multiplexer: the value whose condition is 1, of which at most one is; 0 when none is.
    /// </summary>
    public Value SelectOneHot(int width, IEnumerable<(Value Condition, Value Value)> choices) => Tree(
        Opcode.Or, width,
        ByValue(choices).Select(choice => Select(ReduceOr(choice.Conditions), choice.Value, Zero(width))));

    /// <summary>
    /// The value whose condition is 1, of which at most one is; any of them when none is. The place of the choice is
    /// encoded, so that one LUT chooses of four.
    /// </summary>
    public Value SelectEncoded(IEnumerable<(Value Condition, Value Value)> choices)
    {
        var all = ByValue(choices);
        List<Value> values = [.. all.Select(choice => choice.Value)];
        for (var bit = 0; values.Count > 1; bit++)
        {
            var isSecond = ReduceOr(all.Where((_, place) => (place >> bit & 1) != 0).SelectMany(c => c.Conditions));
            values =
            [
                .. values.Chunk(2).Select(pair => pair is [var first, var second]
                    ? Select(isSecond, second, first)
                    : pair[0]),
            ];
        }
        return values[0];
    }

    /// <summary>The values of choices, each once, with its conditions.</summary>
    private static List<(Value Value, List<Value> Conditions)> ByValue(
        IEnumerable<(Value Condition, Value Value)> choices)
    {
        var byValue = new List<(Value Value, List<Value> Conditions)>();
        var index = new Dictionary<object, int>();
        foreach (var (condition, value) in choices)
        {
            object key = value is Constant constant ? constant.Bits : value;
            if (!index.TryGetValue(key, out var at))
            {
                index[key] = at = byValue.Count;
                byValue.Add((value, []));
            }
            byValue[at].Conditions.Add(condition);
        }
        return byValue;
    }

    /// <summary>
    /// A multiplexer: the value at an index, which is less than their number, chosen bit by bit of it,
    /// so that one LUT chooses of four.
    /// </summary>
    public Value SelectByIndex(IReadOnlyList<Value> values, Value index)
    {
        for (var bit = 0; values.Count > 1; bit++)
        {
            var (pairs, isSecond) = (values, Extract(index, bit, 1));
            Value Either(int pair) =>
                2 * pair + 1 < pairs.Count ? Select(isSecond, pairs[2 * pair + 1], pairs[2 * pair]) : pairs[2 * pair];
            values = [.. Enumerable.Range(0, (pairs.Count + 1) / 2).Select(Either)];
        }
        return values[0];
    }

    /// <summary>Bits of a value, which is computed whole if it is a sum, since more of it is used.</summary>
    public Value BitsOf(Value value, int low, int width) => value switch
    {
        Operation
        {
            Opcode: Opcode.Extract,
            Operands: [Operation { Opcode: Opcode.Add or Opcode.Subtract } sum]
        } part =>
            BitsOf(sum, part.Low + low, width),
        Operation { Opcode: Opcode.Add or Opcode.Subtract } sum when width < sum.Width =>
            Intern(new Operation(Opcode.Extract, width, sum) { Low = low, Location = sum.Location }),
        _ => Extract(value, low, width),
    };

    /// <summary>A name that no other item has: numbered before its suffix, if it must be.</summary>
    public string Unique(string name, string suffix = "")
    {
        name = Prefix + (name.Length == 0 || char.IsDigit(name[0]) ? $"_{name}" : name);
        var unique = name + suffix;
        while (!_names.TryAdd(unique, 1)) unique = $"{name}_{++_names[name + suffix]}{suffix}";
        return unique;
    }

    /// <summary>
    /// A C# name or path as Verilog writes names, word by word in lower case: <c>Stations.ways.0.Key</c> is
    /// <c>stations_ways_0_key</c>. Two names may come out alike; <see cref="Unique"/> tells them apart.
    /// </summary>
    /// <remarks>
    /// <para>A character that is no letter of ASCII and no digit ends a word.
    /// Between two such, a word is the first of these that fits:</para>
    /// <list type="number">
    /// <item>an acronym with its version: capitals, <c>v</c>, digits (<c>IPv4</c>, <c>DHCPv6</c>);</item>
    /// <item>the name of a .NET type that has a capital inside: <c>UInt16</c>, <c>SByte</c>;</item>
    /// <item>small letters, with a capital before them or none, and the digits behind (<c>Get</c>,
    /// <c>Icmpv6</c>);</item>
    /// <item>capitals up to the one that begins the next word, and the digits behind (<c>DNS</c> of
    /// <c>DNSServer</c>);</item>
    /// <item>digits.</item>
    /// </list>
    /// </remarks>
    public static string SnakeCase(string name) =>
        string.Join('_', Word().Matches(name).Select(word => word.Value.ToLowerInvariant()));

    /// <summary>Says the most that something can be that is not computed from other values.</summary>
    public void Limit(Value value, UInt128 most) => _most[value] = most;

    /// <summary>The most that a value can be, as far as its form says.</summary>
    public UInt128 Most(Value value) =>
        value is Operation { Opcode: Opcode.Concat, Operands: [var high, var low] }
            ? Most(high) << low.Width | Most(low)
            : MostOf(value);

    protected override UInt128 MostOf(Value value)
    {
        if (_most.TryGetValue(value, out var known)) return known;
        if (value is not Operation { Opcode: Opcode.Extract } part) return base.MostOf(value);
        return UInt128.Min(MostOf(part.Operands[0]) >> part.Low, Arithmetic.Mask(part.Width));
    }

    protected override Value ParityOperand(Value value) => WithoutZeros(value) ?? value;

    protected override Value Intern(Operation operation)
    {
        var key = new OperationKey(operation);
        if (_operations.TryGetValue(key, out var known)) return known;
        return _operations[key] = operation;
    }

    [GeneratedRegex("[A-Z]+v[0-9]+|(UInt|SByte)(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[A-Z]+(?![a-z])[0-9]*|[0-9]+")]
    private static partial Regex Word();
}
