using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Direction.Weaving;

/// <summary>
/// Checks that the code of a method is right, as far as weaving can make it wrong: branches lead to instructions, the
/// stack has the same depth and the same types on every way to an instruction, and instructions find on it what they
/// take (ECMA-335 III.1.8). Types are those of the evaluation stack (III.1.1), of value types each its own; of what
/// class a reference is, is not looked at.
/// </summary>
/// <param name="method">The method.</param>
internal sealed class CilVerifier(MethodDefinition method)
{
    private readonly Dictionary<Instruction, StackKind[]> _stacks = [];
    private readonly Queue<Instruction> _open = new();
    private readonly HashSet<Instruction> _instructions = [.. method.Body.Instructions];

    /// <summary>Checks the methods of a class and of those in it.</summary>
    /// <exception cref="WeaveException">A method is wrong.</exception>
    public static void Check(TypeDefinition type)
    {
        foreach (var method in type.Methods.Where(m => m.HasBody)) new CilVerifier(method).Check();
        foreach (var inner in type.NestedTypes) Check(inner);
    }

    /// <summary>Checks the method.</summary>
    /// <exception cref="WeaveException">It is wrong.</exception>
    public void Check()
    {
        Reach(null, method.Body.Instructions[0], []);
        foreach (var handler in method.Body.ExceptionHandlers)
        {
            StackKind[] stack = handler.HandlerType is ExceptionHandlerType.Catch or ExceptionHandlerType.Filter
                ? [StackKind.Reference]
                : [];
            Reach(null, handler.HandlerStart, stack);
            if (handler.FilterStart is { } filter) Reach(null, filter, stack);
        }
        while (_open.TryDequeue(out var instruction)) Follow(instruction);
    }

    private void Follow(Instruction instruction)
    {
        var stack = new Stack<StackKind>(_stacks[instruction]);
        try
        {
            new StackTransition(method, stack).Do(instruction);
        }
        catch (InvalidOperationException exception)
        {
            throw Wrong(instruction, exception.Message);
        }
        var after = stack.Reverse().ToArray();
        switch (instruction.OpCode.FlowControl)
        {
            case FlowControl.Return when instruction.OpCode.Code == Code.Ret && after.Length > 0:
                throw Wrong(instruction, "something is left on the stack");
            case FlowControl.Return or FlowControl.Throw:
                return;
            case FlowControl.Branch:
                // A protected block is left with an empty stack.
                Reach(
                    instruction, (Instruction)instruction.Operand,
                    instruction.OpCode.Code is Code.Leave or Code.Leave_S ? [] : after);
                return;
            case FlowControl.Cond_Branch:
                foreach (var target in instruction.Operand as Instruction[] ?? [(Instruction)instruction.Operand])
                    Reach(instruction, target, after);
                break;
        }
        Reach(instruction, instruction.Next ?? throw Wrong(instruction, "the code ends without a return"), after);
    }

    private void Reach(Instruction? from, Instruction to, StackKind[] stack)
    {
        if (!_instructions.Contains(to)) throw Wrong(from ?? to, "a branch leads out of the method");
        if (_stacks.TryAdd(to, stack)) _open.Enqueue(to);
        else if (!_stacks[to].SequenceEqual(stack))
            throw Wrong(to, $"the stack is [{Text(_stacks[to])}] on one way and [{Text(stack)}] on another");
    }

    private static string Text(IEnumerable<StackKind> stack) => string.Join(", ", stack);

    private WeaveException Wrong(Instruction at, string why) =>
        new($"the woven {method.DeclaringType.Name}.{method.Name} is wrong at {at}: {why}; this is a bug of Emu");
}
