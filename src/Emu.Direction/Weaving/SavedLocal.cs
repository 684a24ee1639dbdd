using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Direction.Weaving;

/// <summary>A local variable or parameter that is in a field of the service while the service is stopped.</summary>
/// <param name="Field">The field.</param>
/// <param name="Load">Makes the instruction that loads the local.</param>
/// <param name="Store">Makes the instruction that stores it.</param>
internal sealed record SavedLocal(FieldDefinition Field, Func<Instruction> Load, Func<Instruction> Store)
{
    /// <summary>The instructions that put it into the field.</summary>
    public IEnumerable<Instruction> Save() =>
        [Instruction.Create(OpCodes.Ldarg_0), Load(), Instruction.Create(OpCodes.Stfld, Field)];

    /// <summary>The instructions that take it from the field.</summary>
    public IEnumerable<Instruction> Restore() =>
        [Instruction.Create(OpCodes.Ldarg_0), Instruction.Create(OpCodes.Ldfld, Field), Store()];
}
