using System.Globalization;
using System.Text.RegularExpressions;
using Emu.Direction.Directing;
using Emu.Direction.Editing.Messages;
using Emu.Direction.Language;
using Emu.Direction.Weaving;

namespace Emu.Direction.Editing;

/// <summary>
/// The variables as an editor shows them: a tree by the parts of their names, whose owners have numbers that hold until
/// the service goes on.
/// </summary>
/// <param name="director">Reads and sets them.</param>
/// <param name="variables">The variables that can be read.</param>
/// <param name="methods">What stands before the names of locals: methods of the service, and classes of its objects.
/// </param>
internal sealed partial class VariableView(
    Director director, IEnumerable<DirectedVariable> variables, IReadOnlyList<string> methods)
{
    /// <summary>The elements of an array that an editor gets which does not ask for parts of it.</summary>
    private const int MostElements = 256;

    private readonly VariableNode _root = VariableNode.TreeOf(variables);
    private readonly List<Owner> _owners = [];
    private IReadOnlyList<SourcePlace> _places = [];

    /// <summary>Begins anew, at the places of a stop: none if the service runs. Numbers given before end.</summary>
    public void Enter(IReadOnlyList<SourcePlace> places)
    {
        _places = places;
        _owners.Clear();
    }

    /// <summary>The scopes: the locals in scope, if there are any, and the state of the service.</summary>
    public ScopesBody Scopes(bool hasLocals)
    {
        var scopes = new List<Scope>();
        var locals = Locals();
        if (hasLocals && locals.Count > 0)
            scopes.Add(new Scope("Locals", "locals", NumberOf(new Owner(locals)), Expensive: false));
        var state = _root.Children.Where(child => !methods.Contains(child.Name)).Select(child => (child.Name, child));
        scopes.Add(new Scope("Service", null, NumberOf(new Owner([.. state])), Expensive: false));
        return new ScopesBody(scopes);
    }

    /// <summary>The variables of an owner.</summary>
    /// <exception cref="DebugAdapterException">There is no such owner now, or the service does not answer.</exception>
    public VariablesBody Children(VariablesArguments arguments)
    {
        var owner = OwnerOf(arguments.VariablesReference);
        if (owner.Array is { } array)
        {
            if (arguments.Filter == "named") return new VariablesBody([]);
            var start = Math.Clamp(arguments.Start ?? 0, 0, array.Elements);
            var most = arguments.Count is > 0 and var count ? count : MostElements;
            return new VariablesBody(
            [
                .. Enumerable.Range(start, Math.Min(most, array.Elements - start))
                    .Select(i => ElementOf(array, owner.Path!, i)),
            ]);
        }
        return new VariablesBody(
            arguments.Filter == "indexed"
                ? []
                : [.. owner.Parts.Select(part => VariableOf(part.Node, part.Node.Name, part.Path, isElement: false))]);
    }

    /// <summary>The path of a variable of an owner.</summary>
    /// <exception cref="DebugAdapterException">There is no such owner now, or it has no such variable.</exception>
    public string PathOf(int owner, string name)
    {
        var known = OwnerOf(owner);
        return known.Array is not null ? known.Path + name
            : known.Parts.Where(part => part.Node.Name == name).Select(part => part.Path).FirstOrDefault()
                ?? throw new DebugAdapterException($"there is no {name} there");
    }

    /// <summary>Evaluates a name: a local in scope, or a variable of the service.</summary>
    /// <returns>The value, or the number by which its parts are asked for.</returns>
    /// <exception cref="DebugAdapterException">There is none, or the service does not answer.</exception>
    public Variable Evaluate(string expression)
    {
        var text = This().Replace(expression.Trim(), "");
        foreach (var path in _places.Select(place => place.Method).Distinct().Select(m => $"{m}.{text}").Append(text))
        {
            if (Find(path) is var (node, isElement)) return VariableOf(node, text, path, isElement);
        }
        throw new DebugAdapterException($"there is no variable {text}; list shows those that are woven");
    }

    /// <summary>The path of a variable that an expression names; the expression itself if it names none.</summary>
    public string Resolved(string expression)
    {
        var text = This().Replace(expression.Trim(), "");
        return _places.Select(place => $"{place.Method}.{text}").FirstOrDefault(path => Find(path) is not null) ?? text;
    }

    private List<(string Path, VariableNode Node)> Locals() =>
    [
        .. from path in _places.SelectMany(place => place.Locals).Distinct()
           let found = Find(path)
           where found is not null
           select (path, found.Value.Node),
    ];

    private (VariableNode Node, bool IsElement)? Find(string path)
    {
        var (node, isElement) = (_root, false);
        foreach (var part in path.Split('.'))
        {
            // What is below an array is below one of its elements.
            if (node.IsArray != isElement) return null;
            var match = Part().Match(part);
            if (!match.Success || node.Find(match.Groups["name"].Value) is not { } child) return null;
            (node, isElement) = (child, match.Groups["index"].Success);
            if (isElement && !child.IsArray) return null;
        }
        return (node, isElement);
    }

    private Variable ElementOf(VariableNode array, string path, int index)
    {
        var name = string.Create(CultureInfo.InvariantCulture, $"[{index}]");
        return VariableOf(array, name, path + name, isElement: true);
    }

    private Variable VariableOf(VariableNode node, string name, string path, bool isElement)
    {
        if (node.IsArray && !isElement)
            return new Variable(
                name, "", $"{node.Elements} elements", path, NumberOf(new Owner([]) { Array = node, Path = path }),
                node.Elements, null);
        if (node.Variable is not { } variable)
        {
            var parts = node.Children.Select(child => ($"{path}.{child.Name}", child)).ToList();
            return new Variable(name, "", null, path, NumberOf(new Owner(parts)), null, null);
        }
        var reading = director.Read(VariablePath.Parse(path));
        return new Variable(
            name, reading.Text ?? throw new DebugAdapterException(reading.WhyNot!),
            $"{variable.Kind}, {variable.Width} bits", path, 0, null,
            variable.IsWritable ? null : new VariableHint(["readOnly"]));
    }

    private int NumberOf(Owner owner)
    {
        _owners.Add(owner);
        return _owners.Count;
    }

    private Owner OwnerOf(int number) => number >= 1 && number <= _owners.Count
        ? _owners[number - 1]
        : throw new DebugAdapterException($"there are no variables {number}: the service has gone on");

    [GeneratedRegex(@"^this\.")]
    private static partial Regex This();

    [GeneratedRegex(@"^(?<name>\w+)(\[(?<index>\d+)\])?$")]
    private static partial Regex Part();

    /// <summary>An owner of variables: of parts by name, or of the elements of an array.</summary>
    private sealed record Owner(IReadOnlyList<(string Path, VariableNode Node)> Parts)
    {
        public VariableNode? Array { get; init; }

        public string? Path { get; init; }
    }
}
