using Mono.Cecil.Cil;

namespace Emu.Direction.Weaving;

/// <summary>Puts instructions into a method whose macros are simplified.</summary>
internal static class CodeInsertion
{
    /// <summary>Inserts code before an instruction. What jumped to the instruction jumps to the code.</summary>
    public static void InsertBefore(this MethodBody body, Instruction place, IReadOnlyList<Instruction> code)
    {
        var il = body.GetILProcessor();
        foreach (var instruction in code) il.InsertBefore(place, instruction);
        Retarget(body, place, code[0], code);
    }

    /// <summary>Inserts code behind an instruction.</summary>
    public static void InsertAfter(this MethodBody body, Instruction place, IReadOnlyList<Instruction> code)
    {
        var il = body.GetILProcessor();
        foreach (var instruction in code.Reverse()) il.InsertAfter(place, instruction);
    }

    private static void Retarget(
        MethodBody body, Instruction old, Instruction now, IReadOnlyList<Instruction> inserted)
    {
        foreach (var instruction in body.Instructions.Except(inserted))
        {
            if (instruction.Operand == old) instruction.Operand = now;
            else if (instruction.Operand is Instruction[] targets)
                instruction.Operand = targets.Select(target => target == old ? now : target).ToArray();
        }
        foreach (var handler in body.ExceptionHandlers)
        {
            if (handler.TryStart == old) handler.TryStart = now;
            if (handler.TryEnd == old) handler.TryEnd = now;
            if (handler.HandlerStart == old) handler.HandlerStart = now;
            if (handler.HandlerEnd == old) handler.HandlerEnd = now;
            if (handler.FilterStart == old) handler.FilterStart = now;
        }
    }
}
