using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Direction.Weaving;

/// <summary>The values that instructions take from the stack and put there (ECMA-335 III).</summary>
internal static class StackEffects
{
    /// <summary>
    /// The instruction that put the receiver of a call on the stack; null if there is a branch or its target between.
    /// </summary>
    public static Instruction? ReceiverOf(Instruction call, MethodBody body)
    {
        var targets = body.Instructions.SelectMany(i => i.Operand switch
        {
            Instruction target => [target],
            Instruction[] targets => targets,
            _ => Enumerable.Empty<Instruction>(),
        }).ToHashSet();
        var above = ((MethodReference)call.Operand).Parameters.Count;
        for (var at = call.Previous; at is not null && !targets.Contains(at.Next); at = at.Previous)
        {
            if (at.OpCode.FlowControl is not (FlowControl.Next or FlowControl.Call or FlowControl.Meta)) return null;
            above -= Pushed(at);
            if (above < 0) return at;
            above += Popped(at);
        }
        return null;
    }

    private static int Pushed(Instruction instruction) => instruction.OpCode.StackBehaviourPush switch
    {
        StackBehaviour.Push0 => 0,
        StackBehaviour.Push1_push1 => 2,
        StackBehaviour.Varpush =>
            ((MethodReference)instruction.Operand).ReturnType.MetadataType == MetadataType.Void ? 0 : 1,
        _ => 1,
    };

    private static int Popped(Instruction instruction) => instruction.OpCode.StackBehaviourPop switch
    {
        StackBehaviour.Pop0 => 0,
        StackBehaviour.Pop1 or StackBehaviour.Popi or StackBehaviour.Popref => 1,
        StackBehaviour.Varpop => Taken((MethodReference)instruction.Operand, instruction.OpCode.Code),
        StackBehaviour.Popi_popi_popi or StackBehaviour.Popref_popi_popi or StackBehaviour.Popref_popi_popi8
            or StackBehaviour.Popref_popi_popr4 or StackBehaviour.Popref_popi_popr8
            or StackBehaviour.Popref_popi_popref => 3,
        _ => 2,
    };

    private static int Taken(MethodReference called, Code code) =>
        called.Parameters.Count + (called.HasThis && code != Code.Newobj ? 1 : 0);
}
