namespace Emu.Direction.Editing;

/// <summary>A part of the name of variables: a variable, an array of them, or what has both below it.</summary>
/// <param name="name">The part, without <c>[]</c>.</param>
/// <param name="isArray">True if it has elements.</param>
internal sealed class VariableNode(string name, bool isArray)
{
    private readonly List<VariableNode> _children = [];

    /// <summary>The part, without <c>[]</c>.</summary>
    public string Name => name;

    /// <summary>True if it has elements, whose parts are the children.</summary>
    public bool IsArray => isArray;

    /// <summary>The variable, or of an array the elements; null if it has only parts.</summary>
    public DirectedVariable? Variable { get; private set; }

    /// <summary>The parts.</summary>
    public IReadOnlyList<VariableNode> Children => _children;

    /// <summary>The number of elements of an array.</summary>
    public int Elements => Variable?.Elements ?? _children.Max(child => child.Elements);

    /// <summary>Makes the tree of all variables.</summary>
    public static VariableNode TreeOf(IEnumerable<DirectedVariable> variables)
    {
        var root = new VariableNode("", isArray: false);
        foreach (var variable in variables.Where(v => v.Kind != VariableKind.Probe))
        {
            var node = root;
            foreach (var part in variable.Name.Split('.')) node = node.ChildOf(part);
            node.Variable = variable;
        }
        return root;
    }

    /// <summary>The part of a name; null if there is none.</summary>
    public VariableNode? Find(string part) => _children.Find(child => child.Name == part);

    private VariableNode ChildOf(string part)
    {
        const string Elements = "[]";
        var isArrayPart = part.EndsWith(Elements, StringComparison.Ordinal);
        var own = isArrayPart ? part[..^Elements.Length] : part;
        var child = _children.Find(known => known.Name == own && known.IsArray == isArrayPart);
        if (child is null) _children.Add(child = new VariableNode(own, isArrayPart));
        return child;
    }
}
