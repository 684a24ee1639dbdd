using Mono.Cecil.Cil;

namespace Emu.Direction.Weaving;

/// <summary>A value at a place: what conditions compare and traces keep.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Kind">How its bits are shown.</param>
/// <param name="Width">Its bits, at most 64.</param>
/// <param name="Load">Makes the instructions that load it, as 64 bits.</param>
internal sealed record ProbedValue(
    string Name, VariableKind Kind, int Width, Func<IEnumerable<Instruction>> Load)
{
    /// <summary>The widest that a probe takes: 64 bits.</summary>
    public const int MostWidth = 64;
}
