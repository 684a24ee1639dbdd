using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Direction.Weaving;

/// <summary>
/// The frame of an event that is stopped, where the method has it as a parameter: <c>frame.Length</c>, and its first
/// bytes as <c>frame[12]</c>. They are in fields of the service meanwhile, and go back into the frame if packets may
/// set them.
/// </summary>
/// <param name="service">The service.</param>
/// <param name="parts">The classes of its objects.</param>
/// <param name="features">The features, which say what packets may read and set.</param>
internal sealed class StoppedFrame(TypeDefinition service, ServiceParts parts, DirectionFeatures features)
{
    private const string BytesName = "frame", FrameType = "Emu.Frame";

    private readonly List<StateVariable> _variables = [];
    private FieldDefinition? _length, _bytes;

    /// <summary>The variables that packets name.</summary>
    public IReadOnlyList<StateVariable> Variables => _variables;

    private ModuleDefinition Module => service.Module;

    /// <summary>The parts of a method's frame that are kept; none if it has none, or packets read none.</summary>
    public IEnumerable<SavedLocal> In(MethodDefinition method)
    {
        var frame = method.Parameters.FirstOrDefault(
            p => p.ParameterType is ByReferenceType { ElementType.FullName: FrameType });
        if (frame is null) yield break;
        _length ??= Field("DirectionStoppedLength", Module.TypeSystem.Int32, FrameValues.LengthName, isAssigned: false);
        if (_length is not null)
        {
            yield return new SavedLocal(
                _length,
                () =>
                [
                    .. parts.Load(method), Instruction.Create(OpCodes.Ldarg, frame),
                    FrameValues.LengthOf(Module), Instruction.Create(OpCodes.Stfld, _length),
                ],
                () => []);
        }
        _bytes ??= Field(
            "DirectionStoppedBytes", new ArrayType(Module.TypeSystem.Byte), BytesName, isAssigned: true);
        if (_bytes is null) yield break;
        var isSet = features.Sets(BytesName);
        yield return new SavedLocal(
            _bytes, () => Copy(method, frame, nameof(FrameBytes.Save)),
            () => isSet ? Copy(method, frame, nameof(FrameBytes.Restore)) : []);
    }

    /// <summary>The instructions that make the room for the bytes, in a constructor.</summary>
    public IEnumerable<Instruction> Construction() => _bytes is null ? [] :
    [
        Instruction.Create(OpCodes.Ldarg_0), Instruction.Create(OpCodes.Ldc_I4, FrameBytes.Kept),
        Instruction.Create(OpCodes.Newarr, Module.TypeSystem.Byte), Instruction.Create(OpCodes.Stfld, _bytes),
    ];

    private IEnumerable<Instruction> Copy(MethodDefinition method, ParameterDefinition frame, string copy) =>
    [
        Instruction.Create(OpCodes.Ldarg, frame),
        .. parts.Load(method), Instruction.Create(OpCodes.Ldfld, _bytes),
        Instruction.Create(OpCodes.Call, Module.ImportReference(typeof(FrameBytes).GetMethod(copy))),
    ];

    /// <summary>The field for a name; null if packets read nothing of it.</summary>
    private FieldDefinition? Field(string name, TypeReference type, string variable, bool isAssigned)
    {
        var field = new FieldDefinition(name, FieldAttributes.Private, type);
        var variables = StateVariables.Of(field, service, variable).Where(v => features.Reads(v.Name))
            .Select(v => v with { IsAssigned = isAssigned }).ToList();
        if (variables.Count == 0) return null;
        service.Fields.Add(field);
        _variables.AddRange(variables);
        return field;
    }
}
