using System.Text.RegularExpressions;
using Emu.Direction.Language;
using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Direction.Weaving;

/// <summary>
/// Finds the events in the methods of a service and of its parts: reads and writes of their fields, calls of their
/// methods and of the methods of objects in the service's fields, labels and lines.
/// </summary>
/// <remarks>
/// Of an object in a field, such as a <see cref="Counter"/>, a method without a branch that assigns a variable is a
/// write of it; others may or may not write, and their calls are counted instead. A count that misses some would be
/// wrong: there is no event of an object that is given to a method, which may do anything with it.
/// </remarks>
/// <param name="service">The service.</param>
/// <param name="parts">The classes of its objects.</param>
internal sealed partial class ServiceEvents(TypeDefinition service, ServiceParts parts)
{
    private const string PointName = "Point", PointType = "Emu.Service/Direction";

    private readonly MethodDefinition[] _methods =
    [
        .. parts.Classes.SelectMany(part => part.Methods)
            .Where(m => m is { HasBody: true, IsStatic: false, IsConstructor: false }),
    ];

    private readonly Dictionary<FieldDefinition, bool> _areGiven = [];
    private readonly Dictionary<MethodBody, StackValues> _values = [];

    /// <summary>All events but lines and locals.</summary>
    public IEnumerable<ProbedEvent> All(IEnumerable<StateVariable> variables) =>
        variables.Where(IsScalar).SelectMany(VariableEvents).Concat(Calls()).Concat(Labels());

    /// <summary>The line that a name such as <c>LearningSwitch.cs:38</c> is; null if there is no code on it.</summary>
    public ProbedEvent? Line(string name)
    {
        if (name.Split(':') is not [var file, var number] || !int.TryParse(number, out var line)) return null;
        var places = _methods.SelectMany(method => method.DebugInformation.SequencePoints
            .Where(point => point.StartLine == line && Path.GetFileName(point.Document.Url) == file)
            .Select(point => new ProbePlace(
                method, method.Body.Instructions.First(i => i.Offset == point.Offset), IsBefore: true)).Take(1))
            .ToList();
        return places.Count > 0 ? new ProbedEvent(EventKind.Calls, name, null, places) : null;
    }

    /// <summary>The lines of a file on which code of the service begins.</summary>
    public IEnumerable<int> Lines(string file) =>
        _methods.SelectMany(method => method.DebugInformation.SequencePoints)
            .Where(point => !point.IsHidden && Path.GetFileName(point.Document.Url) == file)
            .Select(point => point.StartLine).Distinct().Order();

    /// <summary>The files with code of the service, each without its folder.</summary>
    public IEnumerable<string> Files() =>
        _methods.SelectMany(method => method.DebugInformation.SequencePoints)
            .Select(point => Path.GetFileName(point.Document.Url)).Distinct();

    /// <summary>The places in the service that call one of its methods.</summary>
    public IEnumerable<ProbePlace> CallsOf(MethodDefinition called) =>
        from method in _methods
        from instruction in method.Body.Instructions
        where instruction.Operand is MethodReference reference && reference.Resolve() == called
        select new ProbePlace(method, instruction, IsBefore: true);

    /// <summary>The value of a variable of the service, at any place in it.</summary>
    public static ProbedValue ValueOf(StateVariable variable) =>
        new(variable.Name, variable.Kind, variable.Width, () => Load(variable));

    /// <summary>True for a variable of the service itself without an index, narrow enough for a probe.</summary>
    public bool IsScalar(StateVariable variable) =>
        variable.Width <= ProbedValue.MostWidth && variable.Path.All(step => step is FieldStep)
        && FieldOf(variable).DeclaringType.FullName == service.FullName;

    private static FieldReference FieldOf(StateVariable variable) => ((FieldStep)variable.Path[0]).Field;

    private static IEnumerable<Instruction> Load(StateVariable variable)
    {
        yield return Instruction.Create(OpCodes.Ldarg_0);
        var module = FieldOf(variable).DeclaringType.Module;
        foreach (var (i, step) in variable.Path.Cast<FieldStep>().Index())
        {
            var isPlace = i + 1 < variable.Path.Count && ((FieldStep)variable.Path[i + 1]).IsOfStruct;
            yield return Instruction.Create(isPlace ? OpCodes.Ldflda : OpCodes.Ldfld, step.In(module));
        }
        yield return Instruction.Create(
            variable.Kind == VariableKind.SignedNumber ? OpCodes.Conv_I8 : OpCodes.Conv_U8);
    }

    private IEnumerable<ProbedEvent> VariableEvents(StateVariable variable)
    {
        // The last object on the way holds the variable, perhaps in a struct.
        var at = variable.Path.ToList().FindLastIndex(step => !((FieldStep)step).IsOfStruct);
        var held = (FieldStep)variable.Path[at];
        var (writes, reads) = ((IReadOnlyList<ProbePlace>?)null, (IReadOnlyList<ProbePlace>?)null);
        if (FieldOf(held) is { } field && parts.IsOne(field.DeclaringType))
            (writes, reads) = Accesses(
                field, [.. variable.Path.Skip(at + 1).Select(step => FieldOf((FieldStep)step)!)]);
        else if (at > 0 && at == variable.Path.Count - 1
            && variable.Path[at - 1] is FieldStep { IsOfStruct: false } owner
            && FieldOf(owner) is { } holder && parts.IsOne(holder.DeclaringType))
            writes = Assignments(holder, FieldOf(held)!);
        foreach (var (kind, places) in ((EventKind, IReadOnlyList<ProbePlace>?)[])
            [(EventKind.Writes, writes), (EventKind.Reads, reads)])
        {
            if (places is { Count: > 0 }) yield return new ProbedEvent(kind, variable.Name, ValueOf(variable), places);
        }
    }

    private static FieldDefinition? FieldOf(FieldStep step) => step.Field.Resolve();

    /// <summary>
    /// The accesses of a variable; null for a kind of which there are some where nothing is woven in.
    /// </summary>
    private (IReadOnlyList<ProbePlace>? Writes, IReadOnlyList<ProbePlace>? Reads) Accesses(
        FieldDefinition field, IReadOnlyList<FieldDefinition> inner)
    {
        var (own, others) = (new FieldAccesses(field, inner, ValuesOf), new FieldAccesses(field, inner, ValuesOf));
        foreach (var method in _methods) own.Add(method);
        foreach (var method in AllMethods.Except(_methods).Where(m => !m.IsConstructor)) others.Add(method);
        return (others.Writes is { Count: 0 } ? own.Writes : null, others.Reads is { Count: 0 } ? own.Reads : null);
    }

    private IEnumerable<MethodDefinition> AllMethods =>
        service.Module.GetTypes().SelectMany(type => type.Methods).Where(method => method.HasBody);

    private StackValues ValuesOf(MethodBody body)
    {
        if (!_values.TryGetValue(body, out var known)) _values[body] = known = new StackValues(body);
        return known;
    }

    /// <summary>
    /// The calls of methods without a branch that assign a field of the object in a field; null if there are others
    /// that may assign it.
    /// </summary>
    private List<ProbePlace>? Assignments(FieldDefinition field, FieldDefinition assigned)
    {
        var calls = CallsOn(field).Where(call => MayAssign(call.Called, assigned, [])).ToList();
        return calls.TrueForAll(call => Assigns(call.Called, assigned))
            && !AllMethods.Any(m => m.DeclaringType != assigned.DeclaringType && AccessesPlace(m, assigned))
            ? [.. calls.Select(call => call.Place with { IsBefore = false })]
            : null;
    }

    private static bool AccessesPlace(MethodDefinition method, FieldDefinition field) => method.Body.Instructions.Any(
        i => i.OpCode.Code is Code.Stfld or Code.Ldflda && ((FieldReference)i.Operand).Resolve() == field);

    /// <summary>True for a method that assigns a field of its class, perhaps, or that may be any method.</summary>
    private static bool MayAssign(MethodDefinition method, FieldDefinition field, HashSet<MethodDefinition> open) =>
        open.Add(method)
        && (!method.HasBody || AccessesPlace(method, field)
            || method.Body.Instructions.Any(i => i.Operand is MethodReference called
                && called.DeclaringType.Resolve() == field.DeclaringType
                && called.Resolve() is { } inner && MayAssign(inner, field, open)));

    private static bool Assigns(MethodDefinition method, FieldDefinition field) =>
        method.HasBody
        && method.Body.Instructions.All(
            i => i.OpCode.FlowControl is not (FlowControl.Cond_Branch or FlowControl.Branch))
        && method.Body.Instructions.Any(i => i.OpCode.Code == Code.Stfld
            ? ((FieldReference)i.Operand).Resolve() == field
            : i.Operand is MethodReference called && called.Resolve() is { } inner && inner != method
                && inner.DeclaringType == field.DeclaringType && Assigns(inner, field));

    private IEnumerable<ProbedEvent> Calls()
    {
        foreach (var methods in _methods.Where(m => !m.IsGetter && !m.IsSetter).GroupBy(parts.NameOf))
        {
            yield return new ProbedEvent(
                EventKind.Calls, methods.Key, null,
                [.. methods.Select(m => new ProbePlace(m, m.Body.Instructions[0], IsBefore: true))]);
        }
        foreach (var field in service.Fields.Where(f => !f.IsStatic))
        {
            foreach (var calls in CallsOn(field).GroupBy(call => call.Called.Name))
            {
                yield return new ProbedEvent(
                    EventKind.Calls, $"{StateVariables.NameOf(field)}.{calls.Key}", null,
                    [.. calls.Select(call => call.Place)]);
            }
        }
    }

    /// <summary>The places that the service itself has named.</summary>
    private IEnumerable<ProbedEvent> Labels() =>
        from method in _methods
        from call in method.Body.Instructions
        where call.Operand is MethodReference { Name: PointName, DeclaringType.FullName: PointType }
        group new ProbePlace(method, call.Previous, IsBefore: true) by LabelOf(call, method) into places
        select new ProbedEvent(EventKind.Calls, places.Key, null, [.. places]);

    private string LabelOf(Instruction call, MethodDefinition method)
    {
        if (call.Previous is not { OpCode.Code: Code.Ldstr, Operand: string label } || !LabelForm().IsMatch(label))
            throw new WeaveException(
                $"{parts.NameOf(method)} has a Direction.Point that is no literal of letters, digits, '_' and '-'");
        return service.Methods.All(other => other.Name != label)
            ? label
            : throw new WeaveException($"Direction.Point(\"{label}\"): {service.Name} has a method of this name");
    }

    [GeneratedRegex(@"^[\p{L}_][\w-]*$")]
    private static partial Regex LabelForm();

    /// <summary>
    /// The calls of methods of the object in a field. None if it is not clear of some call which object it is on: a
    /// count without it would be wrong.
    /// </summary>
    private List<(MethodDefinition Called, ProbePlace Place)> CallsOn(FieldDefinition field)
    {
        var calls = (
            from method in _methods
            from call in method.Body.Instructions
            where call.OpCode.Code is Code.Callvirt or Code.Call
                && ((MethodReference)call.Operand) is { HasThis: true } called
                && called.DeclaringType.FullName == field.FieldType.FullName
            select (Receiver: ValuesOf(method.Body).ReceiverOf(call), Place: new ProbePlace(method, call, true)))
            .ToList();
        if (calls.Exists(call => call.Receiver is null) || IsGiven(field)) return [];
        return
        [
            .. calls.Where(call => Loads(call.Receiver!, field))
                .Select(call => (((MethodReference)call.Place.Instruction.Operand).Resolve(), call.Place)),
        ];
    }

    /// <summary>True for a field whose object is given to a method, to a constructor or to another field.</summary>
    private bool IsGiven(FieldDefinition field)
    {
        if (_areGiven.TryGetValue(field, out var known)) return known;
        var isGiven = false;
        foreach (var method in AllMethods)
        {
            var loads = method.Body.Instructions
                .Where(i => Loads(i, field) && i.Next?.OpCode.Code != Code.Ret).ToList();
            if (loads.Count == 0) continue;
            var called = method.Body.Instructions
                .Where(i => i.OpCode.Code is Code.Call or Code.Callvirt && ((MethodReference)i.Operand).HasThis)
                .Select(call => ValuesOf(method.Body).ReceiverOf(call)).ToHashSet();
            isGiven |= loads.Exists(load => !called.Contains(load) && !IsLookedAt(load));
        }
        return _areGiven[field] = isGiven;
    }

    /// <summary>True if what is loaded is only compared with null, or a field of it is loaded.</summary>
    private static bool IsLookedAt(Instruction load) => load.Next?.OpCode.Code
        is Code.Ldfld or Code.Brfalse or Code.Brfalse_S or Code.Brtrue or Code.Brtrue_S or Code.Ldnull;

    /// <summary>True for an instruction that loads a field, or calls the property for which it is.</summary>
    private static bool Loads(Instruction instruction, FieldDefinition field) => instruction switch
    {
        { OpCode.Code: Code.Ldfld or Code.Ldflda } => ((FieldReference)instruction.Operand).Resolve() == field,
        { OpCode.Code: Code.Call or Code.Callvirt } =>
            ((MethodReference)instruction.Operand).Resolve() is { IsGetter: true, HasBody: true } getter
            && getter.Body.Instructions.Any(i => i.OpCode.Code == Code.Ldfld
                && ((FieldReference)i.Operand).Resolve() == field),
        _ => false,
    };
}
