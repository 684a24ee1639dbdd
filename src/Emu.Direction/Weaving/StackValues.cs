using Mono.Cecil.Cil;

namespace Emu.Direction.Weaving;

/// <summary>
/// The ways of values over the evaluation stack of a method: for each instruction those that put there the values that
/// it takes, on every way through the method. It is the analysis of reaching definitions, of the places of the stack.
/// </summary>
internal sealed class StackValues
{
    private readonly Dictionary<Instruction, Instruction?[]> _stacks = [];
    private readonly Queue<Instruction> _open = new();
    private readonly HashSet<Instruction> _lost = [];
    private readonly MethodBody _body;

    /// <summary>Follows the values of a method.</summary>
    public StackValues(MethodBody body)
    {
        _body = body;
        Reach(body.Instructions[0], []);
        foreach (var handler in body.ExceptionHandlers)
        {
            Instruction?[] stack = handler.HandlerType is ExceptionHandlerType.Catch or ExceptionHandlerType.Filter
                ? [null]
                : [];
            Reach(handler.HandlerStart, stack);
            if (handler.FilterStart is { } filter) Reach(filter, stack);
        }
        while (_open.TryDequeue(out var instruction)) Follow(instruction);
    }

    /// <summary>
    /// The instruction that put the receiver of a call on the stack; null if it is another on another way.
    /// </summary>
    public Instruction? ReceiverOf(Instruction call) =>
        _stacks.TryGetValue(call, out var stack) ? stack[^StackEffects.Popped(call)] : null;

    /// <summary>
    /// The instructions that take what one puts on the stack, each with the number of the value among those that it
    /// takes, from 0; null if it comes to a place that has other values on other ways.
    /// </summary>
    public IReadOnlyList<(Instruction User, int Number)>? UsesOf(Instruction value) => _lost.Contains(value) ? null :
    [
        .. from user in _body.Instructions
           where user.OpCode.Code != Code.Dup && _stacks.ContainsKey(user)
           let taken = _stacks[user][^StackEffects.Popped(user)..]
           from number in Enumerable.Range(0, taken.Length)
           where taken[number] == value
           select (user, number),
    ];

    private void Follow(Instruction instruction)
    {
        var stack = _stacks[instruction];
        var below = stack[..^StackEffects.Popped(instruction)];
        // What is there twice is the same value.
        Instruction?[] after = instruction.OpCode.Code == Code.Dup
            ? [.. stack, stack[^1]]
            : [.. below, .. Enumerable.Repeat(instruction, StackEffects.Pushed(instruction))];
        var isLeft = instruction.OpCode.Code is Code.Leave or Code.Leave_S;
        if (instruction.Operand is Instruction target) Reach(target, isLeft ? [] : after);
        foreach (var one in instruction.Operand as Instruction[] ?? []) Reach(one, after);
        if (instruction.OpCode.FlowControl is FlowControl.Branch or FlowControl.Return or FlowControl.Throw) return;
        Reach(instruction.Next, after);
    }

    private void Reach(Instruction to, Instruction?[] stack)
    {
        if (!_stacks.TryGetValue(to, out var known))
        {
            _stacks[to] = stack;
            _open.Enqueue(to);
            return;
        }
        var (isChanged, merged) = (false, known.ToArray());
        for (var i = 0; i < merged.Length; i++)
        {
            if (known[i] == stack[i]) continue;
            foreach (var value in new[] { known[i], stack[i] }.OfType<Instruction>()) _lost.Add(value);
            (merged[i], isChanged) = (null, isChanged || known[i] is not null);
        }
        if (!isChanged) return;
        _stacks[to] = merged;
        _open.Enqueue(to);
    }
}
