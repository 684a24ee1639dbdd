using System.Collections.Frozen;
using System.Reflection.Metadata;
using Emu.Compiler.IR;

namespace Emu.Compiler.Frontend;

/// <summary>A CIL instruction that compares two values, for a number or for a branch (ECMA-335 §III.3).</summary>
/// <param name="Opcode">Its operation of the IR.</param>
/// <param name="IsSwapped">True if the operation takes the second value first.</param>
/// <param name="IsNegated">True if it holds where the operation does not.</param>
internal sealed record ComparisonInstruction(Opcode Opcode, bool IsSwapped = false, bool IsNegated = false)
{
    /// <summary>True for equal values.</summary>
    public static readonly ComparisonInstruction Equality = new(Opcode.Equal);

    /// <summary>True for other values.</summary>
    public static readonly ComparisonInstruction Inequality = new(Opcode.Equal, IsNegated: true);

    /// <summary>True if the first of two signed numbers is less.</summary>
    public static readonly ComparisonInstruction Less = new(Opcode.LessSigned);

    /// <summary>True if the first of two unsigned numbers is less.</summary>
    public static readonly ComparisonInstruction LessUnsigned = new(Opcode.LessUnsigned);

    private static readonly FrozenDictionary<ILOpCode, ComparisonInstruction> s_all =
        new Dictionary<ILOpCode, ComparisonInstruction>
        {
            [ILOpCode.Ceq] = Equality,
            [ILOpCode.Clt] = Less,
            [ILOpCode.Clt_un] = LessUnsigned,
            [ILOpCode.Cgt] = Less with { IsSwapped = true },
            [ILOpCode.Cgt_un] = LessUnsigned with { IsSwapped = true },
            [ILOpCode.Beq] = Equality,
            [ILOpCode.Bne_un] = Inequality,
            [ILOpCode.Blt] = Less,
            [ILOpCode.Blt_un] = LessUnsigned,
            [ILOpCode.Bgt] = Less with { IsSwapped = true },
            [ILOpCode.Bgt_un] = LessUnsigned with { IsSwapped = true },
            [ILOpCode.Bge] = Less with { IsNegated = true },
            [ILOpCode.Bge_un] = LessUnsigned with { IsNegated = true },
            [ILOpCode.Ble] = Less with { IsSwapped = true, IsNegated = true },
            [ILOpCode.Ble_un] = LessUnsigned with { IsSwapped = true, IsNegated = true },
        }.ToFrozenDictionary();

    /// <summary>
    /// True if two references are compared by it; null if only numbers are. A reference that is above null is not null
    /// (<c>cgt.un</c>, §III.1.5).
    /// </summary>
    public bool? IsSameReference => this switch
    {
        { Opcode: Opcode.Equal } => !IsNegated,
        { Opcode: Opcode.LessUnsigned, IsSwapped: true, IsNegated: false } => false,
        _ => null,
    };

    /// <summary>The instruction of a code, a branch in its long form; null for another kind.</summary>
    public static ComparisonInstruction? Of(ILOpCode code) => s_all.GetValueOrDefault(code);
}
