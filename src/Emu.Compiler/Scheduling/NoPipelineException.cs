using Emu.Compiler.IR;

namespace Emu.Compiler.Scheduling;

/// <summary>A reason that keeps a service from a layout.</summary>
internal sealed class NoPipelineException(string why, SourceLocation? location) : Exception(why)
{
    /// <summary>The C# that does.</summary>
    public SourceLocation? Location { get; } = location;

    /// <summary>True if only the interval is in the way: at a longer one there may be a pipeline.</summary>
    public bool IsRecurrence { get; init; }

    /// <summary>True if there is a pipeline at this interval, too, for more logic than the options allow.</summary>
    public bool IsCost { get; init; }
}
