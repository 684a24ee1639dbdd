namespace Emu.Compiler;

/// <summary>Counts the items and operations of a design by the calls that they come from.</summary>
internal sealed class CostTree
{
    private readonly Node _service = new("");
    private readonly List<Node> _layout = [];
    private readonly LogicEstimate _logic;
    private readonly HashSet<Value> _seen = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<IDesignItem, Node> _ofState = new(ReferenceEqualityComparer.Instance);

    /// <summary>Counts.</summary>
    public CostTree(Circuit circuit)
    {
        PlaceState(circuit);
        _logic = new LogicEstimate(Operations(circuit.Design));
        foreach (var section in circuit.Design.Sections)
        {
            var own = new Node(section.Title);
            _layout.Add(own);
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

    private static IEnumerable<Cost> Rows(Node node, int depth)
    {
        if (node.IsEmpty) return [];
        var callees = node.Callees.OrderByDescending(callee => callee.All(n => n.Luts));
        return [RowOf(node, depth, isLayout: false), .. callees.SelectMany(callee => Rows(callee, depth + 1))];
    }

    private static Cost RowOf(Node node, int depth, bool isLayout) =>
        new(node.Name, depth, isLayout, (long)node.All(n => n.FlopBits), (long)node.All(n => n.RamBits), (long)Math.Round(node.All(n => n.Luts)));

    /// <summary>Registers and memories of the service belong to the method below which all their accesses lie.</summary>
    private void PlaceState(Circuit circuit)
    {
        var accesses = circuit.Steps.SelectMany(s => s.Accesses).Where(a => a.Location is not null).ToLookup(a => a.Element, a => PathOf(a.Location!));
        foreach (var place in circuit.State)
        {
            if (!accesses.Contains(place.Element)) continue;
            IDesignItem? item = place switch { InFlop flop => flop.Flop, InRam ram => ram.Ram, _ => null };
            if (item is not null && accesses[place.Element].Aggregate(Common) is { Count: > 0 } path) _ofState[item] = NodeOf(path);
        }
    }

    private static IEnumerable<Operation> Operations(Design design)
    {
        var order = new CombinationalOrder();
        foreach (var root in design.Sections.SelectMany(s => s.Items).SelectMany(DesignVerifier.Roots)) order.Add(root);
        foreach (var part in design.Outputs.SelectMany(o => o.Parts)) order.Add(part);
        return order.Values.OfType<Operation>();
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
            case RamRead { IsRegistered: true } read:
                NodeOf(read.Ram, null, own).FlopBits += read.Width;
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
            (operation.Location is { } location ? NodeOf(PathOf(location)) : own).Luts += _logic.LutsOf(operation);
            foreach (var operand in operation.Operands) waiting.Push(operand);
        }
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

    private static List<string> Common(List<string> a, List<string> b) => [.. a.Zip(b).TakeWhile(pair => pair.First == pair.Second).Select(pair => pair.First)];

    private sealed class Node(string name)
    {
        private readonly Dictionary<string, Node> _callees = [];

        public string Name => name;

        public double FlopBits { get; set; }

        public double RamBits { get; set; }

        public double Luts { get; set; }

        public bool IsEmpty => All(n => n.FlopBits + n.RamBits + n.Luts) == 0;

        public IEnumerable<Node> Callees => _callees.Values;

        public Node Callee(string method)
        {
            if (!_callees.TryGetValue(method, out var callee)) _callees[method] = callee = new Node(method);
            return callee;
        }

        public double All(Func<Node, double> count) => count(this) + Callees.Sum(callee => callee.All(count));
    }
}
