namespace Emu.Direction.Editing.Messages;

/// <summary>The arguments of <c>initialize</c>.</summary>
/// <param name="LinesStartAt1">True, or left out, if lines of the editor are counted from 1.</param>
/// <param name="ColumnsStartAt1">True, or left out, if columns are.</param>
/// <param name="SupportsVariablePaging">True if it asks for parts of arrays.</param>
internal sealed record InitializeArguments(
    bool LinesStartAt1 = true, bool ColumnsStartAt1 = true, bool SupportsVariablePaging = false);

/// <summary>The requests that the adapter knows beyond those that each does.</summary>
internal sealed record Capabilities
{
    /// <summary>The editor says when its breakpoints are there.</summary>
    public bool SupportsConfigurationDoneRequest { get; } = true;

    /// <summary>Breakpoints at methods.</summary>
    public bool SupportsFunctionBreakpoints { get; } = true;

    /// <summary>Breakpoints with conditions.</summary>
    public bool SupportsConditionalBreakpoints { get; } = true;

    /// <summary>Breakpoints that stop at a number of hits.</summary>
    public bool SupportsHitConditionalBreakpoints { get; } = true;

    /// <summary>Breakpoints that print and go on.</summary>
    public bool SupportsLogPoints { get; } = true;

    /// <summary>Stops where a variable has been written.</summary>
    public bool SupportsDataBreakpoints { get; } = true;

    /// <summary>Values shown where the pointer is.</summary>
    public bool SupportsEvaluateForHovers { get; } = true;

    /// <summary>Variables that are set.</summary>
    public bool SupportsSetVariable { get; } = true;

    /// <summary>Words that may come next in the console.</summary>
    public bool SupportsCompletionsRequest { get; } = true;
}
