using System.Globalization;
using System.Text.RegularExpressions;
using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Direction.Weaving;

/// <summary>
/// The values of the event's frame that conditions compare, as it arrived: its length and single bytes. Each has a
/// field of the service, set at the start of <see cref="Service.Process"/>, so that every place can compare it.
/// </summary>
/// <param name="module">The module of the service.</param>
/// <param name="service">The service.</param>
internal sealed partial class FrameValues(ModuleDefinition module, TypeDefinition service)
{
    /// <summary>The name of the length.</summary>
    public const string LengthName = "frame.Length";

    private const int MostOffset = 9000;

    private readonly List<(FieldDefinition Field, int? Offset)> _kept = [];

    /// <summary>The value of a name; null if the name is of nothing in a frame.</summary>
    public ProbedValue? Of(string name)
    {
        if (name == LengthName)
            return Value(name, 32, Field("DirectionLength", module.TypeSystem.Int32, null));
        return ByteName().Match(name) is { Success: true } match
            && int.TryParse(match.Groups[1].Value, CultureInfo.InvariantCulture, out var offset) && offset < MostOffset
            ? Value(name, 8, Field($"DirectionByte{offset}", module.TypeSystem.Byte, offset))
            : null;
    }

    /// <summary>The instructions that keep what was asked for, at the start of a method with the frame.</summary>
    public IEnumerable<Instruction> Keep() => _kept.SelectMany(kept => (IEnumerable<Instruction>)
    [
        Instruction.Create(OpCodes.Ldarg_0), Instruction.Create(OpCodes.Ldarg_1),
        .. kept.Offset is { } offset
            ? [
                Instruction.Create(OpCodes.Ldc_I4, offset),
                Instruction.Create(
                    OpCodes.Call, module.ImportReference(typeof(FrameBytes).GetMethod(nameof(FrameBytes.At)))),
            ]
            : new[] { LengthOf(module) },
        Instruction.Create(OpCodes.Stfld, kept.Field),
    ]);

    /// <summary>The instruction that takes the length of a frame.</summary>
    public static Instruction LengthOf(ModuleDefinition module) => Instruction.Create(
        OpCodes.Call, module.ImportReference(typeof(Frame).GetProperty(nameof(Frame.Length))!.GetMethod));

    private static ProbedValue Value(string name, int width, FieldDefinition field) =>
        new(name, VariableKind.Number, width, () =>
        [
            Instruction.Create(OpCodes.Ldarg_0), Instruction.Create(OpCodes.Ldfld, field),
            Instruction.Create(OpCodes.Conv_U8),
        ]);

    private FieldDefinition Field(string name, TypeReference type, int? offset)
    {
        if (_kept.Find(kept => kept.Field.Name == name).Field is { } known) return known;
        var field = new FieldDefinition(name, FieldAttributes.Private, type);
        service.Fields.Add(field);
        _kept.Add((field, offset));
        return field;
    }

    [GeneratedRegex(@"^frame\[(\d+)\]$")]
    private static partial Regex ByteName();
}
