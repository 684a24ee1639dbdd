using Mono.Cecil.Cil;

namespace Emu.Clocked;

/// <summary>
/// The variables of a method whose value behind one of several calls may be read (live-variable analysis). Those whose
/// address is taken, and those of handlers, always are.
/// </summary>
internal sealed class LiveVariables
{
    private readonly MethodBody _body;
    private readonly Dictionary<Instruction, HashSet<VariableDefinition>> _before = [];

    private LiveVariables(MethodBody body)
    {
        _body = body;
        var hasChanged = true;
        while (hasChanged)
        {
            hasChanged = false;
            foreach (var at in body.Instructions.Reverse()) hasChanged |= Visit(at);
        }
    }

    /// <summary>Finds them; all macros are expanded.</summary>
    public static IReadOnlySet<VariableDefinition> Of(MethodBody body, IEnumerable<Instruction> calls)
    {
        var live = new LiveVariables(body);
        return calls.SelectMany(live.After).Concat(live.Always()).ToHashSet();
    }

    private bool Visit(Instruction at)
    {
        var before = After(at).ToHashSet();
        if (at.Operand is VariableDefinition variable)
        {
            if (at.OpCode.Code == Code.Stloc) before.Remove(variable);
            else before.Add(variable);
        }
        var hasChanged = !_before.TryGetValue(at, out var known) || known.Count != before.Count;
        _before[at] = before;
        return hasChanged;
    }

    private IEnumerable<VariableDefinition> After(Instruction at) => StackTypes.Targets(at)
        .SelectMany(next => _before.TryGetValue(next, out var live) ? live : Enumerable.Empty<VariableDefinition>());

    private IEnumerable<VariableDefinition> Always()
    {
        foreach (var at in _body.Instructions)
            if (at is { OpCode.Code: Code.Ldloca, Operand: VariableDefinition addressed }) yield return addressed;
        foreach (var handler in _body.ExceptionHandlers)
            for (var at = handler.FilterStart ?? handler.HandlerStart; at != handler.HandlerEnd; at = at.Next)
                if (at.Operand is VariableDefinition used) yield return used;
    }
}
