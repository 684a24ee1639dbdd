using Emu.Compiler.IR;

namespace Emu.Compiler.Frontend;

/// <summary>A method as a function of its own: one copy for all calls of one <see cref="CallKey"/>.</summary>
/// <param name="Function">The function.</param>
/// <param name="Arguments">
/// For each number of the arguments its register, or the constant that it is in all calls.
/// </param>
/// <param name="Parameters">The values by which the function has them, with their places.</param>
/// <param name="Results">The registers of the numbers that it makes.</param>
/// <param name="Variables">The variables that stand in it for those that pointers lead to.</param>
/// <param name="Contents">What these hold when it ends.</param>
/// <param name="Returned">What it returns; null for nothing.</param>
internal sealed record Procedure(
    Function Function, IReadOnlyList<(Register? Register, Constant? Constant)> Arguments,
    IReadOnlyDictionary<Value, int> Parameters, IReadOnlyDictionary<Value, Register> Results,
    IReadOnlyList<Slot> Variables, IReadOnlyList<AbstractValue> Contents, AbstractValue? Returned);
