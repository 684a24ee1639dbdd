using System.Diagnostics;
using System.Text.RegularExpressions;
using Mono.Cecil;

namespace Emu.Direction.Weaving;

/// <summary>
/// Finds the variables of a service: numbers and addresses in its fields, in the structs, arrays and objects there, and
/// so on. A field that is hidden from debuggers (<see cref="DebuggerBrowsableState.Never"/>) is left out; one that is
/// shown as its owner (<see cref="DebuggerBrowsableState.RootHidden"/>) adds nothing to the name.
/// </summary>
/// <remarks>
/// Left out are a second index, objects behind a field of an interface or a base class but for what this has, and the
/// types of .NET itself.
/// </remarks>
internal sealed partial class StateVariables
{
    private readonly List<StateVariable> _found = [];
    private readonly HashSet<string> _open = [];
    private readonly FieldAssignments _assigned;

    private StateVariables(TypeDefinition service) => _assigned = new FieldAssignments(service.Module);

    /// <summary>Finds the variables of a service, in the order of its fields.</summary>
    public static IReadOnlyList<StateVariable> Of(TypeDefinition service)
    {
        var variables = new StateVariables(service);
        variables.WalkFields(service, "", [], isAssigned: false);
        // A field that hides one of a base class, or a name that two owners give: the first is the one that C# names.
        return
        [
            .. variables._found.Select(variable => InFamily(variable, service)).DistinctBy(variable => variable.Name),
        ];
    }

    /// <summary>
    /// A counter of a family, of whose name the service has one itself, by the service's property; another as it is.
    /// </summary>
    private static StateVariable InFamily(StateVariable variable, TypeDefinition service)
    {
        var family = variable.Path.OfType<FieldStep>().Select(step => step.Field.DeclaringType)
            .FirstOrDefault(type => IsFamily(type.Resolve()));
        return family is not null
            && service.Properties.Any(p =>
                p.Name == variable.Name && p.PropertyType.FullName == typeof(Counter).FullName)
            && service.Properties.FirstOrDefault(p => p.PropertyType.FullName == family.FullName) is { } property
                ? variable with { Name = $"{property.Name}.{variable.Name}" }
                : variable;
    }

    /// <summary>The variables in a field that is woven in, under a name of its own.</summary>
    public static IReadOnlyList<StateVariable> Of(FieldDefinition field, TypeDefinition service, string name)
    {
        var variables = new StateVariables(service);
        var step = new FieldStep(new FieldReference(field.Name, field.FieldType, service), IsOfStruct: false);
        variables.Walk(field.FieldType, name, [step], isAssigned: true);
        return variables._found;
    }

    private void Walk(TypeReference type, string name, IReadOnlyList<PathStep> path, bool isAssigned)
    {
        if (LeafTypes.Of(type) is { } leaf)
        {
            _found.Add(new StateVariable(name, leaf.Kind, leaf.Width, type, path, isAssigned));
            return;
        }
        if (type is ArrayType { IsVector: true } array)
        {
            if (path.OfType<ElementStep>().Any()) return;
            var isNested = array.ElementType is ArrayType { IsVector: true };
            var element = isNested ? ((ArrayType)array.ElementType).ElementType : array.ElementType;
            Walk(element, name + "[]", [.. path, new ElementStep(element, isNested)], isAssigned);
        }
        else if (type.Resolve() is { IsEnum: false, IsInterface: false } definition && IsKnown(definition)
            && _open.Add(type.FullName))
        {
            if (LeafTypes.KindOf(type) is { } kind) WalkAddress(type, kind, name, path, isAssigned);
            else WalkFields(type, IsFamily(definition) ? "" : name, path, isAssigned);
            _open.Remove(type.FullName);
        }
    }

    /// <summary>A struct that is shown as a whole: its only field holds the bits.</summary>
    private void WalkAddress(
        TypeReference type, (VariableKind Kind, int Width) shown, string name, IReadOnlyList<PathStep> path,
        bool isAssigned)
    {
        var field = FieldsOf(type).Single();
        _found.Add(new StateVariable(
            name, shown.Kind, shown.Width, field.Type, [.. path, new FieldStep(field.Reference, true)], isAssigned));
    }

    private void WalkFields(TypeReference type, string name, IReadOnlyList<PathStep> path, bool isAssigned)
    {
        for (var owner = type; owner is not null && owner.Resolve() is { } definition && IsKnown(definition);
            owner = Inflated(definition.BaseType, owner))
        {
            foreach (var (reference, fieldType, field) in FieldsOf(owner))
            {
                if (Browsable(field) == DebuggerBrowsableState.Never) continue;
                var part = Browsable(field) == DebuggerBrowsableState.RootHidden ? "" : NameOf(field);
                var separator = name.Length > 0 && part.Length > 0 ? "." : "";
                var isStruct = definition.IsValueType;
                Walk(
                    fieldType, name + separator + part, [.. path, new FieldStep(reference, isStruct)],
                    isStruct ? isAssigned : _assigned.Contains(field));
            }
        }
    }

    private static IEnumerable<(FieldReference Reference, TypeReference Type, FieldDefinition Field)> FieldsOf(
        TypeReference owner) =>
        owner.Resolve().Fields.Where(field => !field.IsStatic).Select(field => (
            new FieldReference(field.Name, field.FieldType, owner), Inflated(field.FieldType, owner)!, field));

    /// <summary>True for a family of counters, which have their own names wherever it is.</summary>
    private static bool IsFamily(TypeDefinition type) =>
        type.CustomAttributes.Any(a => a.AttributeType.FullName == typeof(CounterFamilyAttribute).FullName);

    /// <summary>True for a type of Emu or of a service; those of .NET are not looked into.</summary>
    private static bool IsKnown(TypeDefinition type) =>
        type.FullName != typeof(Service).FullName
        && !type.Namespace.StartsWith("System", StringComparison.Ordinal)
        && type.BaseType?.FullName is not "System.MulticastDelegate";

    /// <summary>
    /// The way in which debuggers show a field. The backing fields of properties are hidden by the C# compiler itself,
    /// and not here.
    /// </summary>
    internal static DebuggerBrowsableState Browsable(FieldDefinition field) =>
        field.CustomAttributes.Where(attribute => attribute.AttributeType.Name == nameof(DebuggerBrowsableAttribute))
            .Select(attribute => (DebuggerBrowsableState)(int)attribute.ConstructorArguments[0].Value)
            .Where(state => state == DebuggerBrowsableState.RootHidden || !field.Name.StartsWith('<'))
            .DefaultIfEmpty(DebuggerBrowsableState.Collapsed).First();

    /// <summary>The name in C#: of a property for its backing field, of a parameter for one that is captured.</summary>
    public static string NameOf(FieldDefinition field) =>
        CompilerName().Match(field.Name) is { Success: true } match ? match.Groups[1].Value : field.Name;

    [GeneratedRegex("^<(.+)>(k__BackingField|P)$")]
    private static partial Regex CompilerName();

    /// <summary>A type as it is where the parameters of its owner are known.</summary>
    private static TypeReference? Inflated(TypeReference? type, TypeReference owner) => type switch
    {
        GenericParameter { Type: GenericParameterType.Type } parameter when owner is GenericInstanceType instance =>
            instance.GenericArguments[parameter.Position],
        ArrayType array => new ArrayType(Inflated(array.ElementType, owner), array.Rank),
        GenericInstanceType generic => Inflated(generic, owner),
        _ => type,
    };

    private static GenericInstanceType Inflated(GenericInstanceType generic, TypeReference owner)
    {
        var inflated = new GenericInstanceType(generic.ElementType);
        foreach (var argument in generic.GenericArguments) inflated.GenericArguments.Add(Inflated(argument, owner));
        return inflated;
    }
}
