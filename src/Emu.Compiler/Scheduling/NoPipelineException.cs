using Emu.Compiler.IR;

namespace Emu.Compiler.Scheduling;

/// <summary>What keeps a service from a layout.</summary>
internal sealed class NoPipelineException(string why, SourceLocation? location) : Exception(why)
{
    /// <summary>The C# that does.</summary>
    public SourceLocation? Location { get; } = location;

    /// <summary>Whether it is only the interval that does: at a longer one there may be a pipeline.</summary>
    public bool IsRecurrence { get; init; }

    /// <summary>Whether there is one at this interval, too, for more logic than the options allow.</summary>
    public bool IsCost { get; init; }
}
