using System.Globalization;
using Mono.Cecil;

namespace Emu.Direction.Weaving;

/// <summary>A variable that direction packets name.</summary>
/// <param name="Name">Its name, as <see cref="DirectedVariable.Name"/>.</param>
/// <param name="Kind">The way to show its bits.</param>
/// <param name="Width">Bits of an element.</param>
internal abstract record WovenVariable(string Name, VariableKind Kind, int Width);

/// <summary>A variable as the weaver finds it in the fields of a service.</summary>
/// <param name="Name">Its path, as <see cref="DirectedVariable.Name"/>.</param>
/// <param name="Kind">How its bits are shown.</param>
/// <param name="Width">Bits of an element.</param>
/// <param name="Type">The type of the field that holds it, a number or a Boolean.</param>
/// <param name="Path">The way to it from the service.</param>
/// <param name="IsAssigned">True if the service assigns it once it is constructed.</param>
internal sealed record StateVariable(
    string Name, VariableKind Kind, int Width, TypeReference Type, IReadOnlyList<PathStep> Path, bool IsAssigned)
    : WovenVariable(Name, Kind, Width);

/// <summary>The settings of a probe, or the values that it keeps.</summary>
/// <param name="Name">The command and its event, such as <c>count writes Forwarded</c>.</param>
/// <param name="Kind">The way to show its bits.</param>
/// <param name="Width">Bits of an element.</param>
/// <param name="Probe">The field of the service that holds the probe.</param>
/// <param name="Active">The field of the service that is true while the probe works.</param>
/// <param name="Elements">Its elements.</param>
/// <param name="Read">The method that reads one; null if there is nothing to read.</param>
/// <param name="Write">The method that writes one; null if none may be written.</param>
internal sealed record ProbeVariable(
    string Name, VariableKind Kind, int Width, FieldReference Probe, FieldReference Active, int Elements,
    MethodReference? Read, MethodReference? Write)
    : WovenVariable(Name, Kind, Width);

/// <summary>A place in the code, with its number: it has a name and no bits.</summary>
/// <param name="Name">The name, as <see cref="NameOf"/> makes it.</param>
internal sealed record NamedPlace(string Name) : WovenVariable(Name, VariableKind.Place, 1)
{
    private const string Prefix = "at ";

    /// <summary>The name of a place: <c>at 3 Process LearningSwitch.cs:44</c>.</summary>
    public static string NameOf(int number, string place) => $"{Prefix}{number} {place}";

    /// <summary>The number and the place of a name.</summary>
    public static (int Number, string Place) Parse(string name) =>
        name[Prefix.Length..].Split(' ', 2) is [var number, var place]
            ? (int.Parse(number, CultureInfo.InvariantCulture), place)
            : throw new FormatException($"{name} is no place");
}

/// <summary>A step on the way to a variable.</summary>
internal abstract record PathStep;

/// <summary>To a field of an object or of a struct.</summary>
/// <param name="Field">The field.</param>
/// <param name="IsOfStruct">True if a struct has it.</param>
internal sealed record FieldStep(FieldReference Field, bool IsOfStruct) : PathStep
{
    /// <summary>The field as the code of a module refers to it.</summary>
    public FieldReference In(ModuleDefinition module)
    {
        var owner = module.ImportReference(Field.DeclaringType);
        return new FieldReference(Field.Name, module.ImportReference(Field.FieldType, owner), owner);
    }
}

/// <summary>To an element of an array, or of the arrays of an array taken together.</summary>
/// <param name="Element">The type of the elements.</param>
/// <param name="IsNested">True for an array of arrays: element <i>i</i> is <c>[i / n][i % n]</c>.</param>
internal sealed record ElementStep(TypeReference Element, bool IsNested) : PathStep;
