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
    /// <param name="field">The field.</param>
    /// <param name="service">Makes the instructions that load the service.</param>
    /// <param name="load">Makes the one that loads it.</param>
    /// <param name="store">Makes the one that stores it.</param>
    public static SavedLocal Of(
        FieldDefinition field, Func<IReadOnlyList<Instruction>> service, Func<Instruction> load,
        Func<Instruction> store) => new(
        field,
        () => [.. service(), load(), Instruction.Create(OpCodes.Stfld, field)],
        () => [.. service(), Instruction.Create(OpCodes.Ldfld, field), store()]);
}
