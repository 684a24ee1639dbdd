using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Direction.Weaving;

/// <summary>The values that instructions take from the stack and put there (ECMA-335 III).</summary>
internal static class StackEffects
{
    /// <summary>The number of values that an instruction puts there.</summary>
    public static int Pushed(Instruction instruction) => instruction.OpCode.StackBehaviourPush switch
    {
        StackBehaviour.Push0 => 0,
        StackBehaviour.Push1_push1 => 2,
        StackBehaviour.Varpush =>
            ((IMethodSignature)instruction.Operand).ReturnType.MetadataType == MetadataType.Void ? 0 : 1,
        _ => 1,
    };

    /// <summary>The number of values that an instruction takes; of one that ends a method none.</summary>
    public static int Popped(Instruction instruction) => instruction.OpCode.StackBehaviourPop switch
    {
        StackBehaviour.Pop0 or StackBehaviour.PopAll => 0,
        StackBehaviour.Varpop when instruction.Operand is null => 0,
        StackBehaviour.Pop1 or StackBehaviour.Popi or StackBehaviour.Popref => 1,
        StackBehaviour.Varpop => Taken((IMethodSignature)instruction.Operand, instruction.OpCode.Code),
        StackBehaviour.Popi_popi_popi or StackBehaviour.Popref_popi_popi or StackBehaviour.Popref_popi_popi8
            or StackBehaviour.Popref_popi_popr4 or StackBehaviour.Popref_popi_popr8
            or StackBehaviour.Popref_popi_popref => 3,
        _ => 2,
    };

    private static int Taken(IMethodSignature called, Code code) =>
        called.Parameters.Count + (called.HasThis && code != Code.Newobj ? 1 : 0) + (code == Code.Calli ? 1 : 0);
}
