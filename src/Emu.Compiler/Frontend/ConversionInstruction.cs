using System.Collections.Frozen;
using System.Reflection.Metadata;

namespace Emu.Compiler.Frontend;

/// <summary>A CIL instruction that converts a number to a whole one (ECMA-335 §III.3.27 to §III.3.29).</summary>
/// <param name="Width">The bits of the result.</param>
/// <param name="IsSigned">True if the result is a signed number.</param>
/// <param name="IsChecked">True if a number that does not fit ends the event.</param>
/// <param name="FromUnsigned">True if the operand is an unsigned number.</param>
internal sealed record ConversionInstruction(
    int Width, bool IsSigned, bool IsChecked = false, bool FromUnsigned = false)
{
    private static readonly FrozenDictionary<ILOpCode, ConversionInstruction> s_all =
        new Dictionary<ILOpCode, ConversionInstruction>
        {
            [ILOpCode.Conv_i1] = new(8, IsSigned: true),
            [ILOpCode.Conv_i2] = new(16, IsSigned: true),
            [ILOpCode.Conv_i4] = new(32, IsSigned: true),
            [ILOpCode.Conv_i8] = new(64, IsSigned: true),
            [ILOpCode.Conv_i] = new(64, IsSigned: true),
            [ILOpCode.Conv_u1] = new(8, IsSigned: false),
            [ILOpCode.Conv_u2] = new(16, IsSigned: false),
            [ILOpCode.Conv_u4] = new(32, IsSigned: false),
            [ILOpCode.Conv_u8] = new(64, IsSigned: false),
            [ILOpCode.Conv_u] = new(64, IsSigned: false),
            [ILOpCode.Conv_ovf_i1] = new(8, IsSigned: true, IsChecked: true),
            [ILOpCode.Conv_ovf_i2] = new(16, IsSigned: true, IsChecked: true),
            [ILOpCode.Conv_ovf_i4] = new(32, IsSigned: true, IsChecked: true),
            [ILOpCode.Conv_ovf_i8] = new(64, IsSigned: true, IsChecked: true),
            [ILOpCode.Conv_ovf_i] = new(64, IsSigned: true, IsChecked: true),
            [ILOpCode.Conv_ovf_u1] = new(8, IsSigned: false, IsChecked: true),
            [ILOpCode.Conv_ovf_u2] = new(16, IsSigned: false, IsChecked: true),
            [ILOpCode.Conv_ovf_u4] = new(32, IsSigned: false, IsChecked: true),
            [ILOpCode.Conv_ovf_u8] = new(64, IsSigned: false, IsChecked: true),
            [ILOpCode.Conv_ovf_u] = new(64, IsSigned: false, IsChecked: true),
            [ILOpCode.Conv_ovf_i1_un] = new(8, IsSigned: true, IsChecked: true, FromUnsigned: true),
            [ILOpCode.Conv_ovf_i2_un] = new(16, IsSigned: true, IsChecked: true, FromUnsigned: true),
            [ILOpCode.Conv_ovf_i4_un] = new(32, IsSigned: true, IsChecked: true, FromUnsigned: true),
            [ILOpCode.Conv_ovf_i8_un] = new(64, IsSigned: true, IsChecked: true, FromUnsigned: true),
            [ILOpCode.Conv_ovf_i_un] = new(64, IsSigned: true, IsChecked: true, FromUnsigned: true),
            [ILOpCode.Conv_ovf_u1_un] = new(8, IsSigned: false, IsChecked: true, FromUnsigned: true),
            [ILOpCode.Conv_ovf_u2_un] = new(16, IsSigned: false, IsChecked: true, FromUnsigned: true),
            [ILOpCode.Conv_ovf_u4_un] = new(32, IsSigned: false, IsChecked: true, FromUnsigned: true),
            [ILOpCode.Conv_ovf_u8_un] = new(64, IsSigned: false, IsChecked: true, FromUnsigned: true),
            [ILOpCode.Conv_ovf_u_un] = new(64, IsSigned: false, IsChecked: true, FromUnsigned: true),
        }.ToFrozenDictionary();

    /// <summary>The instruction of a code; null for another kind.</summary>
    public static ConversionInstruction? Of(ILOpCode code) => s_all.GetValueOrDefault(code);
}
