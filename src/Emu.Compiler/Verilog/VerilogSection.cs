using System.Text;
using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Verilog;

/// <summary>
/// One section: its declarations, then its logic, operands first, then what happens at the clock's edge.
/// </summary>
internal sealed class VerilogSection
{
    private readonly VerilogScope _scope;
    private readonly LoweredDesign _operations;
    private readonly VerilogExpressions _expressions;
    private readonly List<VerilogDeclaration> _declarations = [];
    private readonly StringBuilder _logic = new();
    private readonly StringBuilder _edge = new();
    private readonly Stack<string> _consumers = new();
    private readonly PostOrder _order;

    public VerilogSection(
        VerilogScope scope, LoweredDesign operations, CountingFunctions counting, ComparingFunctions comparing,
        WiringFunctions wiring)
    {
        (_scope, _operations) = (scope, operations);
        _expressions = new VerilogExpressions(operations, Leaf, Name, counting, comparing, wiring);
        _order = new PostOrder(IsLeaf, Before, Enter, Leave);
    }

    /// <summary>True if anything printed so far happens at an edge.</summary>
    public bool HasEdge { get; internal set; }

    /// <summary>True if anything printed so far is reset.</summary>
    public bool HasReset { get; internal set; }

    /// <summary>Prints a section of the design.</summary>
    public string Print(Section section, int number)
    {
        if (section.Items.Count == 0) return "";
        Begin(number);
        foreach (var item in section.Items) Logic(item);
        Edge([.. section.Items.OfType<Ram>()]);
        Edge([.. section.Items.OfType<Flop>().Select(_scope.VectorOf).OfType<VerilogVector>()]);
        foreach (var item in section.Items)
            if (item is Flop or Ram or RamRead { IsRegistered: true } or CoreInstance && _scope.Declare(item))
                _declarations.Add(_scope.Declaration(item));
        return End(section.Lines.Length > 0 ? [section.Title, section.Lines] : [section.Title]);
    }

    /// <summary>Prints what drives the outputs.</summary>
    public string Print(IReadOnlyList<OutputPort> outputs, int number)
    {
        Begin(number);
        for (var i = 0; i < outputs.Count; i++)
        {
            _consumers.Push(_scope.Outputs[i]);
            Visit(outputs[i].Parts);
            var term = _expressions.Joined(outputs[i].Parts);
            _logic.Append(VerilogLayout.Statement("", $"assign {_scope.Outputs[i]} =", term));
            _consumers.Pop();
        }
        return End(["Outputs"]);
    }

    private void Begin(int number)
    {
        _scope.Begin(number);
        _declarations.Clear();
        _logic.Clear();
        _edge.Clear();
    }

    private string End(IReadOnlyList<string> title)
    {
        var text = new StringBuilder(VerilogLayout.Banner(title));
        var declarations = VerilogLayout.Declarations([.. _scope.Earlier, .. _declarations]);
        string[] parts = [declarations, _logic.ToString(), _edge.ToString()];
        return text.AppendJoin('\n', parts.Where(p => p.Length > 0)).ToString();
    }

    // ---- Logic

    private void Logic(IDesignItem item)
    {
        if (item is Wire or RamRead { IsRegistered: false })
        {
            _order.Visit((Value)item);
            return;
        }
        _consumers.Push(Stem(item));
        Visit(LoweredDesign.Roots(item));
        if (item is CoreInstance core) Instance(core);
        if (item is Ram ram)
            foreach (var read in ram.Reads.Where(r => r.IsRegistered)) Visit(LoweredDesign.Roots(read));
        _consumers.Pop();
    }

    /// <summary>The instance of a module, its outputs joined in one vector.</summary>
    private void Instance(CoreInstance instance)
    {
        (HasEdge, HasReset) = (true, true);
        var (core, signal) = (instance.Core, _scope[instance].Signal);
        string Input(Value value) => _expressions.TermOf(_operations.Of(value)).Read().Replace('\n', ' ');
        var clears = Constant.Is(_operations.Of(instance.Clear), 0) ? "rst" : $"rst || {Input(instance.Clear)}";
        List<string> ports =
        [
            ".clk(clk)", $".rst({clears})", $".valid({Input(instance.Valid)})",
            .. core.Inputs.Zip(instance.Operands, (port, operand) => $".{port.Name}({Input(operand)})"),
        ];
        var low = 0;
        foreach (var (name, width) in core.HasHandshake ? [.. core.Outputs, new CorePort("done", 1)] : core.Outputs)
        {
            ports.Add($".{name}({signal.Bits(low, width)})");
            low += width;
        }
        ports.AddRange(core.Pins.Zip(_scope.PinsOf(instance), (pin, name) => $".{pin.Name}({name})"));
        _logic.Append($"{core.Module} {_scope.Name($"{signal.Name}_core")} (\n    ")
            .AppendJoin(",\n    ", ports).Append("\n);\n");
    }

    private static string Stem(IDesignItem item)
    {
        var name = (item as Flop)?.Vector ?? item.Name;
        return item is Flop && name.EndsWith("_reg", StringComparison.Ordinal) ? name[..^4] : name;
    }

    private void Visit(IEnumerable<Value> values)
    {
        foreach (var value in values) _order.Visit(_operations.Of(value));
    }

    private bool IsLeaf(Value value) => value switch
    {
        Operation => false,
        Wire wire => !_scope.IsHere(wire),
        RamRead read => read.IsRegistered || !_scope.IsHere(read),
        _ => true,
    };

    private Value[] Before(Value value) => value switch
    {
        Operation operation => _operations.Operands(operation),
        Wire wire => [_operations.SourceOf(wire)],
        RamRead read => [_operations.Of(read.Address)],
        _ => [],
    };

    private void Enter(Value value)
    {
        if (value is Wire wire) _consumers.Push(wire.Name);
        if (value is RamRead read) _consumers.Push(read.Name);
    }

    private void Leave(Value value)
    {
        switch (value)
        {
            case Operation operation:
                _expressions.Print(operation);
                break;
            case Wire wire:
                Assign(wire, _expressions.SourceOf(wire));
                _consumers.Pop();
                break;
            case RamRead read:
                Assign(
                    read,
                    new VerilogText(
                        Precedence.Primary, $"{_scope.NameOf(read.Ram)}[{_expressions.Address(read.Address)}]"));
                _consumers.Pop();
                break;
        }
    }

    private void Assign(IDesignItem item, VerilogTerm term)
    {
        var name = _scope[item].Signal.Name;
        if (!_scope.Declare(item)) _logic.Append(VerilogLayout.Statement("", $"assign {name} =", term));
        else
        {
            var statement = VerilogLayout.Statement(
                "", VerilogLayout.Declaration("wire", ((Value)item).Width, name) + " =", term);
            _logic.Append(VerilogLayout.Commented(statement.TrimEnd('\n'), item.Comment));
        }
    }

    private VerilogSlice Leaf(Value value) => value switch
    {
        InputBits input => new VerilogSlice(_scope.Input(input.Port), input.Low, input.Width),
        IDesignItem item => _scope[item],
        _ => throw new InvalidOperationException($"{value.GetType().Name} is no value of a design"),
    };

    private VerilogSlice Name(Operation operation, VerilogTerm term)
    {
        var stem = operation.Location?.Name is { } name ? Netlist.SnakeCase(name) : _consumers.Peek();
        var signal = _scope.Derive(stem, operation.Width);
        _logic.Append(
            VerilogLayout.Statement("", VerilogLayout.Declaration("wire", signal.Width, signal.Name) + " =", term));
        return new VerilogSlice(signal, 0, signal.Width);
    }

    // ---- Edge

    private void Edge(IReadOnlyList<Ram> rams)
    {
        var text = new StringBuilder();
        var ports = rams.Where(ram => ram.Write is not null).Select(ram => ((IDesignItem)ram, Of(ram.Write!.Enable)))
            .Concat(rams.SelectMany(ram => ram.Reads).Where(read => read.IsRegistered)
                .Select(read => ((IDesignItem)read, Of(read.Enable))));
        foreach (var group in ports.GroupBy(port => port.Item2, port => port.Item1))
        {
            _consumers.Push(group.First().Name);
            Guarded(text, group.Key, indent => [.. group.Select(port => Access(indent, port))]);
            _consumers.Pop();
        }
        Always(text);
    }

    private string Access(string indent, IDesignItem port)
    {
        _consumers.Push(port.Name);
        var (ram, address) = port is RamRead read ? (read.Ram, read.Address) : ((Ram)port, ((Ram)port).Write!.Address);
        var place = $"{_scope.NameOf(ram)}[{_expressions.Address(address)}]";
        var statement = port is RamRead to
            ? $"{indent}{_scope[to].Read()} <= {place};\n"
            : VerilogLayout.Statement(indent, $"{place} <=", _expressions.TermOf(ram.Write!.Data));
        _consumers.Pop();
        return statement;
    }

    private void Edge(IReadOnlyList<VerilogVector> vectors)
    {
        var text = new StringBuilder();
        foreach (var group in vectors.GroupBy(v => Of(v.First.Enable)).OrderBy(g => g.Key is not null))
        {
            _consumers.Push(Stem(group.First().First));
            Guarded(text, group.Key, indent => [.. group.Select(vector => Next(indent, vector))]);
            _consumers.Pop();
        }
        foreach (var group in vectors.Where(v => v.First.Reset is not null)
            .GroupBy(v => v.First.Clear is { } clear ? _operations.Of(clear) : null).OrderBy(g => g.Key is not null))
        {
            HasReset = true;
            _consumers.Push(Stem(group.First().First));
            var clears = group.Key is { } clear ? $" || {_expressions.Alternative(clear)}" : "";
            text.Append($"    if (rst{clears}) begin\n");
            _consumers.Pop();
            foreach (var vector in group)
                text.Append(
                    $"        {vector.Signal.Name} <= {VerilogLiteral.Of(vector.Signal.Width, vector.Initial)};\n");
            text.Append("    end\n");
        }
        Always(text);
    }

    private string Next(string indent, VerilogVector vector)
    {
        var parts = vector.Places.Reverse().Select(flop => flop.Next).ToList();
        return VerilogLayout.Statement(indent, $"{vector.Signal.Name} <=", _expressions.Joined(parts));
    }

    /// <summary>The condition that is printed; null for always.</summary>
    private Value? Of(Value? enable) =>
        enable is not null && !Constant.Is(_operations.Of(enable), 1) ? _operations.Of(enable) : null;

    private void Guarded(StringBuilder text, Value? enable, Func<string, IReadOnlyList<string>> statements)
    {
        if (enable is null)
        {
            text.AppendJoin("", statements("    "));
            return;
        }
        var condition = _expressions.Inner(enable);
        var guarded = statements("        ");
        var line = $"    if ({condition}) {guarded[0].Trim()}\n";
        if (guarded.Count == 1 && VerilogLayout.IsLine(line)) text.Append(line);
        else text.Append($"    if ({condition}) begin\n{string.Concat(guarded)}    end\n");
    }

    private void Always(StringBuilder statements)
    {
        if (statements.Length == 0) return;
        HasEdge = true;
        if (_edge.Length > 0) _edge.Append('\n');
        _edge.Append("always @(posedge clk) begin\n").Append(statements).Append("end\n");
    }
}
