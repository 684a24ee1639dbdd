using Emu.Compiler.IR;

namespace Emu.Compiler.Rtl;

/// <summary>The circuit that an operation becomes, where synthesis would choose a larger one.</summary>
internal enum OperationForm
{
    /// <summary>Whatever synthesis makes of the operator.</summary>
    Operator,

    /// <summary>LUTs whose outcomes a carry chain joins: see <see cref="WideComparison"/>.</summary>
    CarryChain,

    /// <summary>A balanced tree, from the halves of the value up.</summary>
    Tree,
}

/// <summary>Decides which circuit an operation becomes: printing and the estimate of size follow it.</summary>
internal static class OperationForms
{
    /// <summary>The form of an operation by its kind and operands.</summary>
    public static OperationForm Of(Opcode opcode, IReadOnlyList<Value> operands) => opcode switch
    {
        Opcode.Equal when WideComparison.IsFor(operands[0].Width) && !operands.Any(operand => operand is Constant) =>
            OperationForm.CarryChain,
        Opcode.PopCount or Opcode.LeadingZeros or Opcode.TrailingZeros => OperationForm.Tree,
        _ => OperationForm.Operator,
    };
}
