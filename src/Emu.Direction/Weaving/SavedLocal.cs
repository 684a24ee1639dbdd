using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Direction.Weaving;

/// <summary>A local variable, a parameter or what is in one, kept in a field while the service is stopped.</summary>
/// <param name="Field">The field.</param>
/// <param name="Save">Makes the instructions that put it into the field.</param>
/// <param name="Restore">Makes the instructions that take it from the field.</param>
internal sealed record SavedLocal(
    FieldDefinition Field, Func<IEnumerable<Instruction>> Save, Func<IEnumerable<Instruction>> Restore)
{
    /// <summary>A local or parameter that one instruction loads and another stores.</summary>
    public static SavedLocal Of(FieldDefinition field, Func<Instruction> load, Func<Instruction> store) => new(
        field,
        () => [Instruction.Create(OpCodes.Ldarg_0), load(), Instruction.Create(OpCodes.Stfld, field)],
        () => [Instruction.Create(OpCodes.Ldarg_0), Instruction.Create(OpCodes.Ldfld, field), store()]);
}
