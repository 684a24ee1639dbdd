using System.Reflection.Metadata;

namespace Emu.Compiler.Metadata;

/// <summary>The use that an instruction makes of a variable.</summary>
internal enum VariableUse
{
    /// <summary>Its value is read.</summary>
    Load,

    /// <summary>Its value is written.</summary>
    Store,

    /// <summary>Its address is taken.</summary>
    Address,
}

/// <summary>A CIL instruction on an argument or a local variable (ECMA-335 §III.3).</summary>
/// <param name="Use">The use of the variable.</param>
/// <param name="IsArgument">True for an argument.</param>
/// <param name="Index">The variable's number.</param>
internal readonly record struct VariableInstruction(VariableUse Use, bool IsArgument, int Index)
{
    /// <summary>The instruction as one on a variable; null for another kind.</summary>
    public static VariableInstruction? Of(Instruction instruction)
    {
        int operand() => (int)instruction.Operand!;
        return instruction.OpCode switch
        {
            >= ILOpCode.Ldarg_0 and <= ILOpCode.Ldarg_3 and var code =>
                new(VariableUse.Load, IsArgument: true, code - ILOpCode.Ldarg_0),
            ILOpCode.Ldarg or ILOpCode.Ldarg_s => new(VariableUse.Load, IsArgument: true, operand()),
            ILOpCode.Ldarga or ILOpCode.Ldarga_s => new(VariableUse.Address, IsArgument: true, operand()),
            ILOpCode.Starg or ILOpCode.Starg_s => new(VariableUse.Store, IsArgument: true, operand()),
            >= ILOpCode.Ldloc_0 and <= ILOpCode.Ldloc_3 and var code =>
                new(VariableUse.Load, IsArgument: false, code - ILOpCode.Ldloc_0),
            ILOpCode.Ldloc or ILOpCode.Ldloc_s => new(VariableUse.Load, IsArgument: false, operand()),
            ILOpCode.Ldloca or ILOpCode.Ldloca_s => new(VariableUse.Address, IsArgument: false, operand()),
            >= ILOpCode.Stloc_0 and <= ILOpCode.Stloc_3 and var code =>
                new(VariableUse.Store, IsArgument: false, code - ILOpCode.Stloc_0),
            ILOpCode.Stloc or ILOpCode.Stloc_s => new(VariableUse.Store, IsArgument: false, operand()),
            _ => null,
        };
    }
}
