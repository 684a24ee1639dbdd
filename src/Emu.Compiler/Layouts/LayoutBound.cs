namespace Emu.Compiler;

/// <summary>What keeps a service from a faster circuit.</summary>
/// <param name="What">The operation, loop, object or bus, in a sentence.</param>
/// <param name="Location">The C#; null when it is not the service's.</param>
public sealed record LayoutBound(string What, SourceLocation? Location);
