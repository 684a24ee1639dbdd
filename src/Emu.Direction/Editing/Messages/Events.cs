namespace Emu.Direction.Editing.Messages;

/// <summary>An event, which the adapter sends of its own accord.</summary>
/// <param name="Seq">Its number among the messages of the adapter.</param>
/// <param name="Event">The name.</param>
/// <param name="Body">More of it, by name.</param>
internal sealed record AdapterEvent(int Seq, string Event, object? Body)
{
    /// <summary>The kind of message.</summary>
    public string Type { get; } = "event";
}

/// <summary>The body of <c>stopped</c>.</summary>
/// <param name="Reason">The reason, such as <c>breakpoint</c>.</param>
/// <param name="Description">The command that has stopped the service.</param>
/// <param name="ThreadId">The thread.</param>
/// <param name="AllThreadsStopped">True: a service has one.</param>
/// <param name="HitBreakpointIds">The breakpoints of the editor that it has come to.</param>
internal sealed record StoppedBody(
    string Reason, string Description, int ThreadId, bool AllThreadsStopped, IReadOnlyList<int>? HitBreakpointIds);

/// <summary>The body of <c>continued</c>.</summary>
/// <param name="ThreadId">The thread.</param>
/// <param name="AllThreadsContinued">True: a service has one.</param>
internal sealed record ContinuedBody(int ThreadId, bool AllThreadsContinued);

/// <summary>The body of <c>output</c>.</summary>
/// <param name="Category">The kind of output: <c>console</c>, <c>important</c>, <c>stdout</c>.</param>
/// <param name="Output">The text with its end of line.</param>
/// <param name="Source">The file of the logpoint that it is of.</param>
/// <param name="Line">The line in it.</param>
internal sealed record OutputBody(string Category, string Output, Source? Source = null, int? Line = null);

/// <summary>The body of <c>breakpoint</c>.</summary>
/// <param name="Reason">The change: <c>changed</c>.</param>
/// <param name="Breakpoint">The breakpoint as it is now.</param>
internal sealed record BreakpointBody(string Reason, Breakpoint Breakpoint);
