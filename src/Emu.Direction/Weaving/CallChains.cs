using Mono.Cecil;
using Mono.Cecil.Cil;
using Mono.Cecil.Rocks;

namespace Emu.Direction.Weaving;

/// <summary>
/// The calls that led to a stop, innermost first: one byte each, the number of a place in the code, from the lowest
/// byte up. A method that stops and is called by others gets a parameter with the calls before it, and so do those that
/// call it. In a circuit, where calls are written out, the parameter is a constant.
/// </summary>
/// <remarks>
/// Only methods that nothing but methods of the service can call get one: the chain begins there in others.
/// </remarks>
/// <param name="service">The service.</param>
/// <param name="parts">The classes of its objects.</param>
internal sealed class CallChains(TypeDefinition service, ServiceParts parts)
{
    /// <summary>The name of the variable with the chain of the last stop.</summary>
    public const string VariableName = "backtrace";

    private const int BitsOfPlace = 8, MostPlaces = (1 << BitsOfPlace) - 1;

    private readonly List<string> _places = [];
    private readonly Dictionary<MethodDefinition, ParameterDefinition?> _callers = [];
    private readonly List<(MethodDefinition Caller, Instruction Call, int Place)> _calls = [];
    private FieldDefinition? _field;

    /// <summary>The variables by which packets read the chain, and the names of places; none without a stop.</summary>
    public IEnumerable<WovenVariable> Variables => _field is null ? [] :
    [
        .. StateVariables.Of(_field, service, VariableName),
        .. _places.Select((place, number) => new NamedPlace(NamedPlace.NameOf(number + 1, place))),
    ];

    /// <summary>Takes a place where the service can stop, before anything is woven in.</summary>
    /// <returns>What keeps the chain when it stops there.</returns>
    public SavedLocal Add(ProbePlace place)
    {
        if (_field is null)
        {
            _field = new FieldDefinition("DirectionCalls", FieldAttributes.Private, service.Module.TypeSystem.UInt64);
            service.Fields.Add(_field);
        }
        var (field, number) = (_field, NumberOf(place.Method, place.Instruction));
        AddCallers(place.Method);
        return new SavedLocal(
            field,
            () =>
            [
                .. parts.Load(place.Method), .. Chain(place.Method, number),
                Instruction.Create(OpCodes.Stfld, field),
            ],
            () => []);
    }

    /// <summary>Gives the calls that were found their argument.</summary>
    public void PassChains()
    {
        foreach (var method in _calls.GroupBy(call => call.Caller))
        {
            var body = method.Key.Body;
            body.SimplifyMacros();
            foreach (var (caller, call, place) in method) body.InsertBefore(call, Chain(caller, place));
            body.OptimizeMacros();
        }
    }

    /// <summary>The chain at a place in a method.</summary>
    private Instruction[] Chain(MethodDefinition method, int place)
    {
        Instruction[] own = [Instruction.Create(OpCodes.Ldc_I4, place), Instruction.Create(OpCodes.Conv_U8)];
        return _callers.GetValueOrDefault(method) is not { } before ? own :
        [
            Instruction.Create(OpCodes.Ldarg, before), Instruction.Create(OpCodes.Ldc_I4, BitsOfPlace),
            Instruction.Create(OpCodes.Shl), .. own, Instruction.Create(OpCodes.Or),
        ];
    }

    private int NumberOf(MethodDefinition method, Instruction instruction)
    {
        var line = method.DebugInformation.SequencePoints
            .Where(point => !point.IsHidden && point.Offset <= instruction.Offset).MaxBy(point => point.Offset);
        var text = line is null ? parts.NameOf(method)
            : $"{parts.NameOf(method)} {Path.GetFileName(line.Document.Url)}:{line.StartLine}";
        var known = _places.IndexOf(text);
        if (known >= 0) return known + 1;
        if (_places.Count == MostPlaces)
            throw new WeaveException($"there are more than {MostPlaces} places where the service can stop");
        _places.Add(text);
        return _places.Count;
    }

    private void AddCallers(MethodDefinition method)
    {
        if (_callers.ContainsKey(method)) return;
        _callers[method] = null;
        var uses = (
            from type in service.Module.GetTypes()
            from user in type.Methods
            where user.HasBody
            from instruction in user.Body.Instructions
            where instruction.Operand is MethodReference used && used.Name == method.Name && used.Resolve() == method
            select (User: user, Instruction: instruction)).ToList();
        var isKnown = method is
        {
            IsVirtual: false, IsConstructor: false, HasGenericParameters: false,
            SemanticsAttributes: MethodSemanticsAttributes.None,
        }
            && (method.IsPrivate || method.IsAssembly) && uses.Count > 0
            && uses.TrueForAll(use => use.User is { IsStatic: false } && parts.Classes.Contains(use.User.DeclaringType)
                && use.Instruction.OpCode.Code is Code.Call or Code.Callvirt);
        if (!isKnown) return;
        var parameter = new ParameterDefinition(
            "directionCalls", ParameterAttributes.None, service.Module.TypeSystem.UInt64);
        method.Parameters.Add(parameter);
        _callers[method] = parameter;
        foreach (var (user, call) in uses)
        {
            _calls.Add((user, call, NumberOf(user, call)));
            AddCallers(user);
        }
    }
}
