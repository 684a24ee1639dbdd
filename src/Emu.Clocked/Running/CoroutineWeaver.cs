using KiwiSystem;
using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Clocked;

/// <summary>
/// Finds the methods of a program that may pause, and rewrites them so that its threads are <see cref="Coroutine"/>s.
/// A program with a method for which that cannot be has threads of the operating system, and does the same.
/// </summary>
internal sealed class CoroutineWeaver
{
    private readonly List<MethodDefinition> _all;
    private readonly HashSet<MethodDefinition> _pausing = [];
    private readonly List<PausingMethod> _plans = [];

    private CoroutineWeaver(ModuleDefinition module)
    {
        _all = [.. module.GetTypes().SelectMany(type => type.Methods).Where(method => method.HasBody)];
        while (_all.Where(method => !_pausing.Contains(method) && method.Body.Instructions.Any(MayPause)).ToList()
            is { Count: > 0 } more)
            _pausing.UnionWith(more);
    }

    /// <summary>
    /// Plans it, before fields become cells; null where a method cannot be rewritten. All macros are expanded.
    /// </summary>
    public static CoroutineWeaver? Plan(ModuleDefinition module)
    {
        var weaver = new CoroutineWeaver(module);
        return weaver._all.TrueForAll(weaver.HasPlan) ? weaver : null;
    }

    /// <summary>Rewrites the methods.</summary>
    public void Weave()
    {
        foreach (var plan in _plans) plan.Weave();
    }

    private bool MayPause(Instruction at) =>
        at.OpCode.Code is Code.Call or Code.Callvirt or Code.Newobj or Code.Ldftn or Code.Ldvirtftn
        && at.Operand is MethodReference called && (IsOfLibrary(called) || IsOwn(called));

    private static bool IsOfLibrary(MethodReference called) =>
        called.DeclaringType.GetElementType().FullName switch
        {
            "KiwiSystem.Kiwi" => called.Name == nameof(Kiwi.Pause),
            "KiwiSystem.Kiwi/Channel`1" => called.Name is "Read" or "Write",
            "System.Threading.Monitor" => called.Name is nameof(Monitor.Enter) or nameof(Monitor.Wait),
            "Emu.Clocked.Classic.NetFPGA" => called.Name is "Get_Frame" or "Set_Frame",
            _ => false,
        };

    private static bool IsPause(MethodReference called) =>
        IsOfLibrary(called) && called.Name == nameof(Kiwi.Pause);

    /// <summary>True for a method of the program that pauses, or one that overrides it.</summary>
    private bool IsOwn(MethodReference called)
    {
        var resolved = called.DeclaringType.Scope == called.Module ? called.Resolve() : null;
        if (resolved is null) return false;
        return _pausing.Contains(resolved)
            || resolved.IsVirtual && _pausing.Any(other => other.IsVirtual && other.Name == resolved.Name
                && other.Parameters.Count == resolved.Parameters.Count);
    }

    private bool HasPlan(MethodDefinition method)
    {
        if (!_pausing.Contains(method)) return true;
        var body = method.Body;
        if (method.HasGenericParameters || method.DeclaringType.HasGenericParameters || method.IsConstructor
            || method.DeclaringType.IsValueType && !method.IsStatic
            || method.Parameters.Any(parameter => !CanBeKept(parameter.ParameterType))
            || body.Variables.Any(variable => !CanBeKept(variable.VariableType))
            || !CanBeKept(method.ReturnType))
            return false;
        var stack = new StackTypes(method);
        var calls = new List<PausingCall>();
        foreach (var at in body.Instructions.Where(MayPause))
        {
            if (stack.Before(at) is not { } before) continue;
            if (at.OpCode.Code is Code.Ldftn or Code.Ldvirtftn)
            {
                // Only a thread may begin there: what else calls a delegate is not known.
                if (at.Next.Operand is MethodReference { DeclaringType.Name: nameof(ThreadStart) }) continue;
                return false;
            }
            if (at.OpCode.Code == Code.Newobj || IsInHandler(body, at) || PlanOf(at, before) is not { } call)
                return false;
            calls.Add(call);
        }
        if (calls.Count > 0)
            _plans.Add(new PausingMethod(method, calls, LiveVariables.Of(body, calls.Select(call => call.At))));
        return true;
    }

    private static PausingCall? PlanOf(Instruction at, IReadOnlyList<TypeReference?> before)
    {
        var called = (MethodReference)at.Operand;
        // What waits and has something to remember cannot be called again.
        if (called.DeclaringType.Name == nameof(Monitor) && called.Name == "Wait"
            || called.DeclaringType.Namespace == "Emu.Clocked.Classic"
            || at.Previous?.OpCode.OpCodeType == OpCodeType.Prefix)
            return null;
        var taken = StackTypes.Taken(called);
        var below = before.SkipLast(taken).ToList();
        List<TypeReference?> arguments =
        [
            .. called.HasThis ? [called.DeclaringType] : Array.Empty<TypeReference>(),
            .. called.Parameters.Select(parameter => StackTypes.Closed(parameter.ParameterType, called)),
        ];
        VariableDefinition? reference = null;
        if (arguments is [.., ByReferenceType])
        {
            if (at.Previous is not { OpCode.Code: Code.Ldloca, Operand: VariableDefinition variable }) return null;
            reference = variable;
            arguments.RemoveAt(arguments.Count - 1);
        }
        return below.Concat(arguments).All(type => type is not null && CanBeKept(type))
            ? new PausingCall(at, IsPause(called), below!, arguments!, reference)
            : null;
    }

    /// <summary>True for a type that a field of an object can have.</summary>
    private static bool CanBeKept(TypeReference type) =>
        type is not (ByReferenceType or PointerType or PinnedType or GenericParameter)
        && !type.ContainsGenericParameter
        && !(type is { IsValueType: true, IsPrimitive: false } && StackTypes.Resolved(type) is { } resolved
            && resolved.CustomAttributes.Any(attribute => attribute.AttributeType.Name == "IsByRefLikeAttribute"));

    private static bool IsInHandler(MethodBody body, Instruction at)
    {
        var place = body.Instructions.IndexOf(at);
        return body.ExceptionHandlers.Any(handler =>
            body.Instructions.IndexOf(handler.FilterStart ?? handler.HandlerStart) <= place
            && (handler.HandlerEnd is null || place < body.Instructions.IndexOf(handler.HandlerEnd)));
    }
}
