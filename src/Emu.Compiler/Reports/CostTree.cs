using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Reports;

/// <summary>Counts the items and operations of a design by the calls that they come from.</summary>
internal sealed class CostTree
{
    private readonly Node _service = new("");
    private readonly List<Node> _layout = [];
    private readonly Dictionary<(string File, int Line, string Method), OwnLine> _lines = [];
    private readonly LogicEstimate _logic;
    private readonly HashSet<Value> _seen = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<IDesignItem, Node> _ofState = new(ReferenceEqualityComparer.Instance);

    /// <summary>Counts.</summary>
    public CostTree(Circuit circuit)
    {
        PlaceState(circuit);
        _logic = new LogicEstimate(circuit.Design);
        var kinds = new Dictionary<string, Node>();
        foreach (var section in circuit.Design.Sections)
        {
            if (!kinds.TryGetValue(section.Kind, out var own) || section.Kind == section.Title)
                _layout.Add(own = kinds[section.Kind] = new Node(section.Kind));
            foreach (var item in section.Items) Add(item, own);
        }
        var outputs = new Node("outputs");
        _layout.Add(outputs);
        foreach (var part in circuit.Design.Outputs.SelectMany(o => o.Parts)) Logic(part, outputs);
    }

    /// <summary>The rows: methods with what they call, then parts of the layout that cost anything.</summary>
    public IReadOnlyList<Cost> Costs() =>
    [
        .. _service.Callees.SelectMany(node => Rows(node, 0)),
        .. _layout.Where(node => !node.IsEmpty).Select(node => RowOf(node, 0, isLayout: true)),
    ];

    /// <summary>The user's lines that cost anything, most first.</summary>
    public IReadOnlyList<LineCost> Lines() =>
    [
        .. _lines.Values.Select(line => line.Cost)
            .Where(line => !line.Line.IsLibrary && line.Luts + line.Dsps > 0)
            .OrderByDescending(line => line.Luts).ThenByDescending(line => line.Dsps)
            .ThenBy(line => line.Line.File, StringComparer.Ordinal).ThenBy(line => line.Line.Line),
    ];

    private static IEnumerable<Cost> Rows(Node node, int depth)
    {
        if (node.IsEmpty) return [];
        var callees = node.Callees.OrderByDescending(callee => callee.All(n => n.Luts));
        return [RowOf(node, depth, isLayout: false), .. callees.SelectMany(callee => Rows(callee, depth + 1))];
    }

    private static Cost RowOf(Node node, int depth, bool isLayout) =>
        new(
            node.Name,
            depth,
            isLayout,
            (long)node.All(n => n.FlopBits),
            (long)node.All(n => n.RamBits),
            (long)Math.Round(node.All(n => n.Luts)),
            (long)node.All(n => n.Dsps));

    /// <summary>
    /// Registers and memories of the service belong to the method below which all their accesses lie.
    /// </summary>
    private void PlaceState(Circuit circuit)
    {
        var accesses = circuit.Steps.SelectMany(s => s.Accesses)
            .Where(a => a.Location is not null).ToLookup(a => a.Element, a => PathOf(a.Location!));
        foreach (var place in circuit.State)
        {
            if (!accesses.Contains(place.Element)) continue;
            IDesignItem? item = place switch { InFlop flop => flop.Flop, InRam ram => ram.Ram, _ => null };
            if (item is not null && accesses[place.Element].Aggregate(Common) is { Count: > 0 } path)
                _ofState[item] = NodeOf(path);
        }
    }

    private void Add(IDesignItem item, Node own)
    {
        switch (item)
        {
            case Flop flop:
                NodeOf(item, flop.Location, own).FlopBits += flop.Width;
                break;
            case Ram ram:
                NodeOf(item, null, own).RamBits += (long)ram.Width * ram.Depth;
                break;
            case RamRead read:
                var node = NodeOf(read.Ram, null, own);
                node.FlopBits += read.IsRegistered ? read.Width : 0;
                node.Luts += _logic.LutsOf(read);
                break;
        }
        foreach (var root in DesignVerifier.Roots(item)) Logic(root, own);
    }

    /// <summary>Each operation once, with the part that uses it first unless C# asked for it.</summary>
    private void Logic(Value root, Node own)
    {
        var waiting = new Stack<Value>([root]);
        while (waiting.TryPop(out var value))
        {
            if (value is not Operation operation || !_seen.Add(operation)) continue;
            var (luts, dsps) = (_logic.LutsOf(operation), _logic.DspsOf(operation));
            var node = operation.Location is { } location ? NodeOf(PathOf(location)) : own;
            node.Luts += luts;
            node.Dsps += dsps;
            if (operation.Location is { } from) LineOf(from.Own).Add(from.Own, luts, dsps);
            foreach (var operand in operation.Operands) waiting.Push(operand);
        }
    }

    private OwnLine LineOf(SourceLocation own)
    {
        var key = (own.File, own.Line, own.Method);
        if (!_lines.TryGetValue(key, out var line)) _lines[key] = line = new OwnLine(own);
        return line;
    }

    private Node NodeOf(IDesignItem item, SourceLocation? location, Node own) =>
        _ofState.TryGetValue(item, out var node) ? node : location is null ? own : NodeOf(PathOf(location));

    private Node NodeOf(IReadOnlyList<string> path) => path.Aggregate(_service, (node, method) => node.Callee(method));

    /// <summary>The methods from <c>Process</c> on; one that calls itself by another call of it stands once.</summary>
    private static List<string> PathOf(SourceLocation location)
    {
        var path = new List<string>();
        for (var at = location; at is not null; at = at.Caller) path.Insert(0, at.Method);
        return path;
    }

    private static List<string> Common(List<string> a, List<string> b) =>
        [.. a.Zip(b).TakeWhile(pair => pair.First == pair.Second).Select(pair => pair.First)];

    /// <summary>A line of the user's, by whichever calls the compiler came there.</summary>
    private sealed class OwnLine(SourceLocation first)
    {
        private readonly HashSet<SourceLocation> _ways = [];
        private double _luts;
        private long _dsps;

        public LineCost Cost => new(first with { Caller = null }, _ways.Count, (long)Math.Round(_luts), _dsps);

        public void Add(SourceLocation own, double luts, int dsps)
        {
            (_luts, _dsps) = (_luts + luts, _dsps + dsps);
            _ways.Add(own);
        }
    }

    private sealed class Node(string name)
    {
        private readonly Dictionary<string, Node> _callees = [];

        public string Name => name;

        public double FlopBits { get; set; }

        public double RamBits { get; set; }

        public double Luts { get; set; }

        public double Dsps { get; set; }

        public bool IsEmpty => All(n => n.FlopBits + n.RamBits + n.Luts + n.Dsps) == 0;

        public IEnumerable<Node> Callees => _callees.Values;

        public Node Callee(string method)
        {
            if (!_callees.TryGetValue(method, out var callee)) _callees[method] = callee = new Node(method);
            return callee;
        }

        public double All(Func<Node, double> count) => count(this) + Callees.Sum(callee => callee.All(count));
    }
}
