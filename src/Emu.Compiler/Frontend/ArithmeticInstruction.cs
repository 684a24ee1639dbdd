using System.Collections.Frozen;
using System.Reflection.Metadata;
using Emu.Compiler.IR;

namespace Emu.Compiler.Frontend;

/// <summary>A CIL instruction that computes a number from two (ECMA-335 §III.3).</summary>
/// <param name="Opcode">Its operation of the IR.</param>
/// <param name="IsChecked">True if a result that does not fit ends the event.</param>
/// <param name="IsUnsigned">True if the operands are unsigned numbers, where that makes a difference.</param>
internal sealed record ArithmeticInstruction(Opcode Opcode, bool IsChecked = false, bool IsUnsigned = false)
{
    private static readonly FrozenDictionary<ILOpCode, ArithmeticInstruction> s_all =
        new Dictionary<ILOpCode, ArithmeticInstruction>
        {
            [ILOpCode.Add] = new(Opcode.Add),
            [ILOpCode.Add_ovf] = new(Opcode.Add, IsChecked: true),
            [ILOpCode.Add_ovf_un] = new(Opcode.Add, IsChecked: true, IsUnsigned: true),
            [ILOpCode.Sub] = new(Opcode.Subtract),
            [ILOpCode.Sub_ovf] = new(Opcode.Subtract, IsChecked: true),
            [ILOpCode.Sub_ovf_un] = new(Opcode.Subtract, IsChecked: true, IsUnsigned: true),
            [ILOpCode.Mul] = new(Opcode.Multiply),
            [ILOpCode.Mul_ovf] = new(Opcode.Multiply, IsChecked: true),
            [ILOpCode.Mul_ovf_un] = new(Opcode.Multiply, IsChecked: true, IsUnsigned: true),
            [ILOpCode.Div] = new(Opcode.DivideSigned),
            [ILOpCode.Div_un] = new(Opcode.DivideUnsigned, IsUnsigned: true),
            [ILOpCode.Rem] = new(Opcode.RemainderSigned),
            [ILOpCode.Rem_un] = new(Opcode.RemainderUnsigned, IsUnsigned: true),
            [ILOpCode.And] = new(Opcode.And),
            [ILOpCode.Or] = new(Opcode.Or),
            [ILOpCode.Xor] = new(Opcode.Xor),
            [ILOpCode.Shl] = new(Opcode.ShiftLeft),
            [ILOpCode.Shr] = new(Opcode.ShiftRightSigned),
            [ILOpCode.Shr_un] = new(Opcode.ShiftRight, IsUnsigned: true),
        }.ToFrozenDictionary();

    /// <summary>True if it shifts: its second operand has a width of its own.</summary>
    public bool IsShift => Opcode is Opcode.ShiftLeft or Opcode.ShiftRight or Opcode.ShiftRightSigned;

    /// <summary>True if it divides: some operands have no result.</summary>
    public bool IsDivision => Opcode is Opcode.DivideUnsigned or Opcode.DivideSigned
        or Opcode.RemainderUnsigned or Opcode.RemainderSigned;

    /// <summary>The instruction of a code; null for another kind.</summary>
    public static ArithmeticInstruction? Of(ILOpCode code) => s_all.GetValueOrDefault(code);
}
