using Emu.Compiler.IR;

namespace Emu.Compiler.Scheduling;

/// <summary>An access of a frame to the state of the service.</summary>
/// <param name="Element">The register or memory that is read or written.</param>
/// <param name="IsWrite">True if it is written.</param>
/// <param name="Location">The C# that does.</param>
public sealed record StateAccess(StateElement Element, bool IsWrite, SourceLocation? Location);
