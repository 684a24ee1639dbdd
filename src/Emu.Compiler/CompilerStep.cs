namespace Emu.Compiler;

/// <summary>A step of the compiler.</summary>
/// <param name="Phase">The phase that it belongs to, as <see cref="HardwareCompiler"/> lists them.</param>
/// <param name="Name">The name; a pass that runs several times has one.</param>
/// <param name="Does">A line about its work.</param>
/// <param name="Place">The reason why it stands where it does: what it must follow or precede.</param>
public sealed record CompilerStep(string Phase, string Name, string Does, string Place);
