using Emu.Compiler.IR;

namespace Emu.Compiler.Layouts;

/// <summary>A cause that keeps a service from a faster circuit.</summary>
/// <param name="What">The operation, loop, object or bus, in a sentence.</param>
/// <param name="Location">The C#; null when it is not the service's.</param>
/// <param name="Interval">
/// The cycles between two frames that it explains; null when it is about something else than the stages of a pipeline.
/// </param>
public sealed record LayoutBound(string What, SourceLocation? Location, int? Interval = null)
{
    /// <summary>True if it is the bus, whatever the service does.</summary>
    public bool IsBus { get; init; }
}
