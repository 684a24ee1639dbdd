namespace Emu.Compiler;

/// <summary>A service as a circuit.</summary>
/// <param name="Design">The circuit.</param>
/// <param name="Registers">What can be read and written through AXI4-Lite.</param>
public sealed record Circuit(Design Design, IReadOnlyList<RegisterEntry> Registers);
