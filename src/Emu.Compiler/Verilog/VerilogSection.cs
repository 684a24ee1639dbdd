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
    private readonly VerilogOperations _operations;
    private readonly VerilogExpressions _expressions;
    private readonly StringBuilder _declarations = new();
    private readonly StringBuilder _logic = new();
    private readonly StringBuilder _edge = new();
    private readonly Stack<string> _consumers = new();
    private readonly PostOrder _order;

    public VerilogSection(
        VerilogScope scope, VerilogOperations operations, CountingFunctions counting, ComparingFunctions comparing)
    {
        (_scope, _operations) = (scope, operations);
        _expressions = new VerilogExpressions(operations, Leaf, Name, counting, comparing);
        _order = new PostOrder(IsLeaf, Before, Enter, Leave);
    }

    /// <summary>True if anything printed so far happens at an edge.</summary>
    public bool HasEdge { get; private set; }

    /// <summary>True if anything printed so far is reset.</summary>
    public bool HasReset { get; private set; }

    /// <summary>Prints a section of the design.</summary>
    public string Print(Section section, int number)
    {
        Begin(number);
        foreach (var item in section.Items) Logic(item);
        foreach (var ram in section.Items.OfType<Ram>()) Edge(ram);
        Edge([.. section.Items.OfType<Flop>()]);
        foreach (var item in section.Items)
            if (item is Flop or Ram or RamRead { IsRegistered: true } && _scope.Declare(item))
                _declarations.Append(_scope.Declaration(item));
        return End(section.Title);
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
        return End("Outputs");
    }

    private void Begin(int number)
    {
        _scope.Begin(number);
        _declarations.Clear();
        _logic.Clear();
        _edge.Clear();
    }

    private string End(string title)
    {
        var text = new StringBuilder(VerilogLayout.Banner([title]));
        var earlier = string.Concat(_scope.Earlier);
        string[] parts = [earlier, _declarations.ToString(), _logic.ToString(), _edge.ToString()];
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
        Visit(VerilogOperations.Roots(item));
        if (item is Ram ram)
            foreach (var read in ram.Reads.Where(r => r.IsRegistered)) Visit(VerilogOperations.Roots(read));
        _consumers.Pop();
    }

    private static string Stem(IDesignItem item) =>
        item is Flop && item.Name.EndsWith("_reg", StringComparison.Ordinal) ? item.Name[..^4] : item.Name;

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
                        Precedence.Primary, $"{_scope[read.Ram].Name}[{_expressions.Address(read.Address)}]"));
                _consumers.Pop();
                break;
        }
    }

    private void Assign(IDesignItem item, VerilogTerm term)
    {
        var name = _scope[item].Name;
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
        IDesignItem item => new VerilogSlice(_scope[item], 0, value.Width),
        _ => throw new InvalidOperationException($"{value.GetType().Name} is no value of a design"),
    };

    private VerilogSlice Name(Operation operation, VerilogTerm term)
    {
        var signal = _scope.Derive(_consumers.Peek(), VerilogExpressions.Kind(operation.Opcode), operation.Width);
        _logic.Append(
            VerilogLayout.Statement("", VerilogLayout.Declaration("wire", signal.Width, signal.Name) + " =", term));
        return new VerilogSlice(signal, 0, signal.Width);
    }

    // ---- Edge

    private void Edge(Ram ram)
    {
        var text = new StringBuilder();
        _consumers.Push(ram.Name);
        if (ram.Write is { } write)
        {
            var place = $"{_scope[ram].Name}[{_expressions.Address(write.Address)}]";
            Guarded(text, write.Enable, indent =>
                VerilogLayout.Statement(indent, $"{place} <=", _expressions.TermOf(write.Data)));
        }
        foreach (var read in ram.Reads.Where(r => r.IsRegistered))
            Guarded(text, read.Enable, indent =>
                $"{indent}{_scope[read].Name} <= {_scope[ram].Name}[{_expressions.Address(read.Address)}];\n");
        _consumers.Pop();
        Always(text);
    }

    private void Edge(IReadOnlyList<Flop> flops)
    {
        var text = new StringBuilder();
        foreach (var group in flops.GroupBy(EnableOf).OrderBy(g => g.Key is not null))
        {
            _consumers.Push(Stem(group.First()));
            Guarded(text, group.Key, indent => string.Concat(group.Select(flop => Next(indent, flop))));
            _consumers.Pop();
        }
        var reset = flops.Where(f => f.Reset is not null).ToList();
        if (reset.Count > 0)
        {
            HasReset = true;
            if (text.Length > 0) text.Append('\n');
            text.Append("    if (rst) begin\n");
            foreach (var flop in reset)
                text.Append($"        {_scope[flop].Name} <= {VerilogLiteral.Of(flop.Width, flop.Reset!.Value)};\n");
            text.Append("    end\n");
        }
        Always(text);
    }

    private string Next(string indent, Flop flop) =>
        VerilogLayout.Statement(indent, $"{_scope[flop].Name} <=", _expressions.TermOf(flop.Next));

    private Value? EnableOf(Flop flop) =>
        flop.Enable is { } enable && !Constant.Is(_operations.Of(enable), 1) ? _operations.Of(enable) : null;

    private void Guarded(StringBuilder text, Value? enable, Func<string, string> statements)
    {
        var isGuarded = enable is not null && !Constant.Is(_operations.Of(enable), 1);
        if (text.Length > 0 && (isGuarded || text.ToString(text.Length - 4, 4) == "end\n")) text.Append('\n');
        if (!isGuarded)
        {
            text.Append(statements("    "));
            return;
        }
        text.Append($"    if ({_expressions.Inner(enable!)}) begin\n{statements("        ")}    end\n");
    }

    private void Always(StringBuilder statements)
    {
        if (statements.Length == 0) return;
        HasEdge = true;
        if (_edge.Length > 0) _edge.Append('\n');
        _edge.Append("always @(posedge clk) begin\n").Append(statements).Append("end\n");
    }
}
