using System.Diagnostics;
using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Direction.Weaving;

/// <summary>
/// The classes in whose methods a service can be directed: its own, and in its assembly those of the objects in its
/// fields, in the fields of these, and so on.
/// </summary>
/// <remarks>
/// What is woven in is in fields of the service. So an object with a place gets a field that refers to the service,
/// which is set at the end of the service's constructor; until then the place does nothing. Not looked into are arrays,
/// and fields of an interface or of a type with type arguments.
/// </remarks>
internal sealed class ServiceParts
{
    private const string ServiceField = "DirectionService";

    private readonly TypeDefinition _service;
    private readonly List<TypeDefinition> _classes = [];
    private readonly List<IReadOnlyList<FieldDefinition>> _paths = [];
    private readonly Dictionary<TypeDefinition, FieldDefinition> _references = [];
    private readonly Dictionary<TypeDefinition, bool> _areOne = [];

    /// <summary>Finds the classes of a service.</summary>
    public ServiceParts(TypeDefinition service)
    {
        _service = service;
        _classes.Add(service);
        Walk(service, [], []);
    }

    /// <summary>The classes, that of the service first.</summary>
    public IReadOnlyList<TypeDefinition> Classes => _classes;

    /// <summary>The fields that are woven into other classes than that of the service.</summary>
    public IEnumerable<FieldDefinition> References => _references.Values;

    /// <summary>
    /// True for a class of which the service has one object, so that a field of it is one variable: it is itself that,
    /// or its assembly makes one at one place.
    /// </summary>
    public bool IsOne(TypeDefinition type)
    {
        if (type == _service) return true;
        if (_areOne.TryGetValue(type, out var known)) return known;
        var made = _classes.Contains(type)
            ? _service.Module.GetTypes().SelectMany(user => user.Methods).Where(method => method.HasBody)
                .SelectMany(method => method.Body.Instructions).Where(i => i.OpCode.Code == Code.Newobj)
                .Count(i => ((MethodReference)i.Operand).DeclaringType.Resolve() == type)
            : 0;
        return _areOne[type] = made == 1;
    }

    /// <summary>The name of a method: of one that is not the service's behind that of its class.</summary>
    public string NameOf(MethodDefinition method) =>
        method.DeclaringType == _service ? method.Name : $"{method.DeclaringType.Name}.{method.Name}";

    /// <summary>The instructions that load the service in a method of a class of it.</summary>
    public IReadOnlyList<Instruction> Load(MethodDefinition method) =>
        method.DeclaringType == _service
            ? [Instruction.Create(OpCodes.Ldarg_0)]
            : [
                Instruction.Create(OpCodes.Ldarg_0),
                Instruction.Create(OpCodes.Ldfld, ReferenceIn(method.DeclaringType)),
            ];

    /// <summary>The instructions that go to another where an object does not know its service yet.</summary>
    public IReadOnlyList<Instruction> GoUnlessKnown(MethodDefinition method, Instruction elsewhere) =>
        method.DeclaringType == _service
            ? []
            : [.. Load(method), Instruction.Create(OpCodes.Brfalse, elsewhere)];

    /// <summary>Has the objects refer to the service, in its constructor.</summary>
    public void Attach(ILProcessor il, ParameterDefinition service)
    {
        foreach (var path in _paths)
        {
            var type = path[^1].FieldType.Resolve();
            if (!_references.TryGetValue(type, out var reference)) continue;
            var (none, end) = (il.Create(OpCodes.Pop), il.Create(OpCodes.Nop));
            il.Emit(OpCodes.Ldarg, service);
            foreach (var field in path)
            {
                il.Emit(OpCodes.Ldfld, field);
                il.Emit(OpCodes.Dup);
                il.Emit(OpCodes.Brfalse, none);
            }
            il.Emit(OpCodes.Ldarg, service);
            il.Emit(OpCodes.Stfld, reference);
            il.Emit(OpCodes.Br, end);
            il.Append(none);
            il.Append(end);
        }
    }

    private FieldDefinition ReferenceIn(TypeDefinition type)
    {
        if (_references.TryGetValue(type, out var known)) return known;
        var field = new FieldDefinition(ServiceField, FieldAttributes.Assembly, _service);
        type.Fields.Add(field);
        return _references[type] = field;
    }

    private void Walk(TypeDefinition owner, IReadOnlyList<FieldDefinition> path, IReadOnlyList<TypeDefinition> open)
    {
        foreach (var field in owner.Fields.Where(field => !field.IsStatic && !IsHidden(field)))
        {
            if (field.FieldType is not TypeDefinition { IsClass: true, IsValueType: false } type || type == _service
                || type.HasGenericParameters || type.Name.StartsWith('<') || open.Contains(type)
                || type.BaseType.FullName == "System.MulticastDelegate")
                continue;
            if (!_classes.Contains(type)) _classes.Add(type);
            IReadOnlyList<FieldDefinition> own = [.. path, field];
            _paths.Add(own);
            Walk(type, own, [.. open, type]);
        }
    }

    private static bool IsHidden(FieldDefinition field) =>
        StateVariables.Browsable(field) == DebuggerBrowsableState.Never;
}
