using Emu.Compiler.IR;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Layouts;

/// <summary>The work of a circuit on a frame in one cycle: a stage of a pipeline, or a state of an engine.</summary>
/// <param name="Title">The title, one line.</param>
/// <param name="Operations">The operations that are computed, with the C# that they come from.</param>
/// <param name="Accesses">The state of the service that is read and written.</param>
/// <param name="Next">The steps that may follow, by their place in <see cref="Circuit.Steps"/>.</param>
/// <param name="Levels">Levels of logic between its flops, estimated before synthesis.</param>
/// <param name="Picoseconds">The time that they take on the device, wiring assumed; estimated as well.</param>
/// <param name="Active">1 in the cycles of the step; null when no flop says so.</param>
public sealed record CircuitStep(
    string Title, IReadOnlyList<Operation> Operations, IReadOnlyList<StateAccess> Accesses, IReadOnlyList<int> Next,
    double Levels, double Picoseconds, Flop? Active);
