using Mono.Cecil;
using Mono.Cecil.Cil;
using Mono.Cecil.Rocks;

namespace Emu.Clocked;

/// <summary>
/// The types on the evaluation stack before each instruction of a method (ECMA-335 §III.1.5): null for one that no
/// variable could keep.
/// </summary>
internal sealed class StackTypes
{
    private readonly MethodDefinition _method;
    private readonly TypeSystem _types;
    private readonly Dictionary<Instruction, List<TypeReference?>> _before = [];

    /// <summary>Finds them.</summary>
    public StackTypes(MethodDefinition method)
    {
        (_method, _types) = (method, method.Module.TypeSystem);
        var open = new Stack<(Instruction At, List<TypeReference?> Stack)>();
        open.Push((method.Body.Instructions[0], []));
        foreach (var handler in method.Body.ExceptionHandlers)
        {
            if (handler.FilterStart is not null) open.Push((handler.FilterStart, [handler.CatchType]));
            open.Push((handler.HandlerStart, handler.CatchType is { } caught ? [caught] : []));
        }
        while (open.TryPop(out var next))
        {
            if (!_before.TryAdd(next.At, next.Stack)) continue;
            var after = After(next.At, next.Stack);
            foreach (var target in Targets(next.At)) open.Push((target, [.. after]));
        }
    }

    /// <summary>The types before an instruction, the top last; null for one that is not reached.</summary>
    public IReadOnlyList<TypeReference?>? Before(Instruction at) => _before.GetValueOrDefault(at);

    /// <summary>The type of a result or a parameter of a call; null for one that is open.</summary>
    public static TypeReference? Closed(TypeReference type, MethodReference method) => type switch
    {
        GenericParameter { Type: GenericParameterType.Type } parameter
            when method.DeclaringType is GenericInstanceType instance => instance.GenericArguments[parameter.Position],
        GenericParameter { Type: GenericParameterType.Method } parameter
            when method is GenericInstanceMethod instance => instance.GenericArguments[parameter.Position],
        { ContainsGenericParameter: true } => null,
        _ => type,
    };

    /// <summary>The number of things that a call takes.</summary>
    public static int Taken(MethodReference method) =>
        method.Parameters.Count + (method is { HasThis: true, ExplicitThis: false } ? 1 : 0);

    /// <summary>The definition of a type; null where its assembly is not found.</summary>
    public static TypeDefinition? Resolved(TypeReference type)
    {
        try
        {
            return type.Resolve();
        }
        catch (AssemblyResolutionException)
        {
            return null;
        }
    }

    /// <summary>The instructions that may follow one, apart from handlers.</summary>
    public static IEnumerable<Instruction> Targets(Instruction at)
    {
        if (at.Operand is Instruction target) yield return target;
        foreach (var one in at.Operand as Instruction[] ?? []) yield return one;
        if (at.OpCode.FlowControl is not (FlowControl.Branch or FlowControl.Return or FlowControl.Throw)
            && at.Next is { } next)
            yield return next;
    }

    private List<TypeReference?> After(Instruction at, List<TypeReference?> before)
    {
        if (at.OpCode.StackBehaviourPop == StackBehaviour.PopAll) return [];
        var taken = before.TakeLast(Pops(at)).ToList();
        List<TypeReference?> after = [.. before.SkipLast(taken.Count)];
        if (at.OpCode.Code == Code.Dup) return [.. after, taken[0], taken[0]];
        if (Pushes(at)) after.Add(OnStack(Pushed(at, taken)));
        return after;
    }

    private static bool IsVoid(TypeReference type) =>
        (type is RequiredModifierType modified ? modified.ElementType : type).MetadataType == MetadataType.Void;

    private static int Pops(Instruction at) => at.OpCode.StackBehaviourPop switch
    {
        StackBehaviour.Pop0 => 0,
        StackBehaviour.Pop1 or StackBehaviour.Popi or StackBehaviour.Popref => 1,
        StackBehaviour.Pop1_pop1 or StackBehaviour.Popi_pop1 or StackBehaviour.Popi_popi or StackBehaviour.Popi_popi8
            or StackBehaviour.Popi_popr4 or StackBehaviour.Popi_popr8 or StackBehaviour.Popref_pop1
            or StackBehaviour.Popref_popi => 2,
        StackBehaviour.Varpop when at.OpCode.Code == Code.Newobj => ((MethodReference)at.Operand).Parameters.Count,
        StackBehaviour.Varpop when at.Operand is MethodReference called => Taken(called),
        StackBehaviour.Varpop => 0,
        _ => 3,
    };

    private static bool Pushes(Instruction at) => at.OpCode.StackBehaviourPush switch
    {
        StackBehaviour.Push0 => false,
        StackBehaviour.Varpush => at.Operand is MethodReference called && !IsVoid(called.ReturnType),
        _ => true,
    };

    private TypeReference? Pushed(Instruction at, List<TypeReference?> taken) => at.OpCode.Code switch
    {
        Code.Ldloc => ((VariableDefinition)at.Operand).VariableType,
        Code.Ldarg => at.Operand == _method.Body.ThisParameter
            ? _method.DeclaringType
            : ((ParameterDefinition)at.Operand).ParameterType,
        Code.Ldc_I8 or Code.Conv_I8 or Code.Conv_Ovf_I8 => _types.Int64,
        Code.Conv_U8 or Code.Conv_Ovf_U8 => _types.UInt64,
        Code.Ldstr => _types.String,
        Code.Ldnull or Code.Box => _types.Object,
        Code.Ldfld or Code.Ldsfld => Open(((FieldReference)at.Operand).FieldType),
        Code.Newobj => Open(((MethodReference)at.Operand).DeclaringType),
        Code.Call or Code.Callvirt => Closed(((MethodReference)at.Operand).ReturnType, (MethodReference)at.Operand),
        Code.Newarr => new ArrayType((TypeReference)at.Operand),
        Code.Castclass or Code.Isinst or Code.Unbox_Any or Code.Ldelem_Any or Code.Ldobj =>
            Open((TypeReference)at.Operand),
        Code.Ldelem_I8 or Code.Ldind_I8 => _types.Int64,
        Code.Ldelem_Ref => (taken[0] as ArrayType)?.ElementType,
        Code.Ldloca or Code.Ldarga or Code.Ldflda or Code.Ldsflda or Code.Ldelema or Code.Ldftn or Code.Ldvirtftn
            or Code.Ldlen or Code.Localloc or Code.Unbox or Code.Ldtoken or Code.Conv_I or Code.Conv_U
            or Code.Ldind_Ref or Code.Mkrefany => null,
        _ when at.OpCode.StackBehaviourPush == StackBehaviour.Pushi => _types.Int32,
        _ when at.OpCode.StackBehaviourPush == StackBehaviour.Push1 && taken.Count > 0 => taken[0],
        _ => null,
    };

    private static TypeReference? Open(TypeReference type) => type.ContainsGenericParameter ? null : type;

    /// <summary>The type that a value has on the stack: small numbers have 32 bits there.</summary>
    private TypeReference? OnStack(TypeReference? type)
    {
        if (type is RequiredModifierType modified) type = modified.ElementType;
        return type?.MetadataType switch
        {
            MetadataType.Boolean or MetadataType.Char or MetadataType.SByte or MetadataType.Byte or MetadataType.Int16
                or MetadataType.UInt16 or MetadataType.Int32 or MetadataType.UInt32 => _types.Int32,
            MetadataType.ValueType when Resolved(type) is { IsEnum: true } resolved =>
                OnStack(resolved.GetEnumUnderlyingType()),
            MetadataType.ByReference or MetadataType.Pointer or MetadataType.TypedByReference => null,
            _ => type,
        };
    }
}
