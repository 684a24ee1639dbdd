namespace Emu.Simulation;

/// <summary>Compiled code for some steps of a cycle, and what it depends on.</summary>
/// <param name="Run">The code.</param>
/// <param name="Reads">The offsets of the words that it reads, but for those of RAMs.</param>
/// <param name="RamsRead">The offsets of the first words of the RAMs that it reads.</param>
/// <param name="Kept">The offsets of the words that it computes for other methods.</param>
/// <param name="RamsWritten">The offsets of the first words of the RAMs that it writes.</param>
internal sealed record CompiledMethod(
    CompiledSteps Run, IReadOnlySet<int> Reads, IReadOnlySet<int> RamsRead, IReadOnlySet<int> Kept,
    IReadOnlySet<int> RamsWritten);
