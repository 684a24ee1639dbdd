using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Direction.Weaving;

/// <summary>
/// The local variables and parameters that the PDB names where a service can be stopped: numbers, addresses, and
/// structs of these. Each has a field of the service, and the name of its method before its own: <c>Process.port</c>.
/// With them comes the frame of the event.
/// </summary>
/// <param name="service">The service.</param>
/// <param name="parts">The classes of its objects.</param>
/// <param name="features">The features, which say what packets may read.</param>
internal sealed class LocalVariables(TypeDefinition service, ServiceParts parts, DirectionFeatures features)
{
    private readonly Dictionary<string, FieldDefinition> _fields = [];
    private readonly List<StateVariable> _variables = [];
    private readonly StoppedFrame _frame = new(service, parts, features);

    /// <summary>The variables that packets name.</summary>
    public IReadOnlyList<StateVariable> Variables => [.. _variables, .. _frame.Variables];

    /// <summary>The instructions that make the room for what is kept, in a constructor.</summary>
    public IEnumerable<Instruction> Construction() => _frame.Construction();

    /// <summary>The locals in scope at a place, before anything is woven into its method.</summary>
    public IReadOnlyList<SavedLocal> At(ProbePlace place)
    {
        var method = place.Method;
        var locals = new List<SavedLocal>();
        foreach (var parameter in method.Parameters.Where(p => IsPlain(p.ParameterType)))
        {
            if (FieldFor(method, parameter.Name, parameter.ParameterType) is { } field)
                locals.Add(SavedLocal.Of(
                    field, () => parts.Load(method), () => Instruction.Create(OpCodes.Ldarg, parameter),
                    () => Instruction.Create(OpCodes.Starg, parameter)));
        }
        foreach (var (name, index) in InScope(method.DebugInformation.Scope, place.Instruction.Offset))
        {
            var local = method.Body.Variables[index];
            if (IsPlain(local.VariableType) && FieldFor(method, name, local.VariableType) is { } field)
                locals.Add(SavedLocal.Of(
                    field, () => parts.Load(method), () => Instruction.Create(OpCodes.Ldloc, local),
                    () => Instruction.Create(OpCodes.Stloc, local)));
        }
        return [.. locals.DistinctBy(local => local.Field), .. _frame.In(method)];
    }

    /// <summary>The names of the parameters and locals in scope at a place, each behind that of its method.</summary>
    public static IReadOnlyList<string> NamesAt(ProbePlace place, ServiceParts parts) =>
    [
        .. place.Method.Parameters.Select(parameter => parameter.Name)
            .Concat(InScope(place.Method.DebugInformation.Scope, place.Instruction.Offset).Select(local => local.Name))
            .Select(name => $"{parts.NameOf(place.Method)}.{name}").Distinct(),
    ];

    private static IEnumerable<(string Name, int Index)> InScope(ScopeDebugInformation? scope, int offset)
    {
        if (scope is null || offset < scope.Start.Offset || (!scope.End.IsEndOfMethod && offset >= scope.End.Offset))
            return [];
        // What an inner scope has hides nothing: C# has no two locals of one name there.
        return scope.Variables.Where(v => !v.IsDebuggerHidden && !v.Name.Contains('$')).Select(v => (v.Name, v.Index))
            .Concat(scope.Scopes.SelectMany(inner => InScope(inner, offset)));
    }

    /// <summary>True for numbers, addresses and structs of these: what a circuit can keep in registers.</summary>
    private static bool IsPlain(TypeReference type) =>
        LeafTypes.Of(type) is not null || LeafTypes.KindOf(type) is not null
        || (type is { IsValueType: true, IsByReference: false, IsPointer: false, IsGenericInstance: false }
            && type.Resolve() is { IsEnum: false } structure
            && !structure.CustomAttributes.Any(a => a.AttributeType.Name == "IsByRefLikeAttribute")
            && !structure.Namespace.StartsWith("System", StringComparison.Ordinal)
            && structure.Fields.Where(field => !field.IsStatic).All(field => IsPlain(field.FieldType)));

    /// <summary>The field for a local; null if packets read nothing of it, or another of its name has one.</summary>
    private FieldDefinition? FieldFor(MethodDefinition method, string local, TypeReference type)
    {
        var owner = parts.NameOf(method);
        var name = $"{owner}.{local}";
        if (_fields.TryGetValue(name, out var known))
            return known.FieldType.FullName == type.FullName ? known : null;
        var field = new FieldDefinition($"Direction{owner.Replace('.', '_')}_{local}", FieldAttributes.Private, type);
        var variables = StateVariables.Of(field, service, name).Where(v => features.Reads(v.Name)).ToList();
        if (variables.Count == 0) return null;
        service.Fields.Add(field);
        _fields[name] = field;
        _variables.AddRange(variables);
        return field;
    }
}
