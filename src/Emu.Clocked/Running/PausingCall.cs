using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Clocked;

/// <summary>A call in a method after which the thread may pause.</summary>
/// <param name="At">The call.</param>
/// <param name="IsPause">
/// True for a pause itself: the method goes on behind it, and does not make the call again.
/// </param>
/// <param name="Below">The types on the stack below the arguments.</param>
/// <param name="Arguments">The types of the arguments.</param>
/// <param name="Reference">A variable whose place is the last argument, which is not saved; null for none.</param>
internal sealed record PausingCall(
    Instruction At, bool IsPause, IReadOnlyList<TypeReference> Below, IReadOnlyList<TypeReference> Arguments,
    VariableDefinition? Reference)
{
    /// <summary>The method that is called.</summary>
    public MethodReference Called { get; } = (MethodReference)At.Operand;
}
