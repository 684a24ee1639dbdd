using Emu.Compiler.IR;

namespace Emu.Compiler.Scheduling;

/// <summary>A reason for which there is no pipeline of a service, or none of an interval.</summary>
/// <param name="Reason">The reason, in a sentence.</param>
/// <param name="Location">The C# that it is about; null if that is no single place.</param>
internal sealed record PipelineObstacle(string Reason, SourceLocation? Location)
{
    /// <summary>True if only the interval is in the way: at a longer one there may be a pipeline.</summary>
    public bool IsRecurrence { get; init; }

    /// <summary>True if there is a pipeline at this interval, too, for more logic than the options allow.</summary>
    public bool IsCost { get; init; }
}
