namespace Emu.Compiler.Dialect;

/// <summary>A service as a program of the clock level.</summary>
/// <param name="Name">The class, which is the module's name.</param>
/// <param name="Source">The C#.</param>
/// <param name="States">The states of the service's own code.</param>
public sealed record DialectProgram(string Name, string Source, int States);
