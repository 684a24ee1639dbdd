namespace Emu.Direction.Editing.Messages;

/// <summary>A file.</summary>
/// <param name="Name">Its name without the folder.</param>
/// <param name="Path">Its path.</param>
internal sealed record Source(string? Name, string? Path);

/// <summary>A breakpoint at a line, as the editor asks for it.</summary>
internal sealed record SourceBreakpoint
{
    /// <summary>The line.</summary>
    public required int Line { get; init; }

    /// <summary>The condition, in the language of direction.</summary>
    public string? Condition { get; init; }

    /// <summary>The hits at which it stops.</summary>
    public string? HitCondition { get; init; }

    /// <summary>The text that it prints instead of a stop.</summary>
    public string? LogMessage { get; init; }
}

/// <summary>The arguments of <c>setBreakpoints</c>: all of a file.</summary>
internal sealed record SetBreakpointsArguments
{
    /// <summary>The file.</summary>
    public required Source Source { get; init; }

    /// <summary>The breakpoints.</summary>
    public IReadOnlyList<SourceBreakpoint>? Breakpoints { get; init; }
}

/// <summary>A breakpoint at a method.</summary>
internal sealed record FunctionBreakpoint
{
    /// <summary>The name.</summary>
    public required string Name { get; init; }

    /// <inheritdoc cref="SourceBreakpoint.Condition"/>
    public string? Condition { get; init; }

    /// <inheritdoc cref="SourceBreakpoint.HitCondition"/>
    public string? HitCondition { get; init; }
}

/// <summary>The arguments of <c>setFunctionBreakpoints</c>: all there are.</summary>
internal sealed record SetFunctionBreakpointsArguments
{
    /// <summary>The breakpoints.</summary>
    public required IReadOnlyList<FunctionBreakpoint> Breakpoints { get; init; }
}

/// <summary>The arguments of <c>setExceptionBreakpoints</c>: a service has none.</summary>
internal sealed record SetExceptionBreakpointsArguments
{
    /// <summary>The kinds of exceptions.</summary>
    public required IReadOnlyList<string> Filters { get; init; }
}

/// <summary>The arguments of <c>dataBreakpointInfo</c>.</summary>
internal sealed record DataBreakpointInfoArguments
{
    /// <summary>The owner of the variable; 0 or left out for an expression.</summary>
    public int? VariablesReference { get; init; }

    /// <summary>The name of the variable there, or the expression.</summary>
    public required string Name { get; init; }
}

/// <summary>The body of the answer to <c>dataBreakpointInfo</c>.</summary>
/// <param name="DataId">The name by which it is watched; null if it cannot be.</param>
/// <param name="Description">The name for the user, or the reason.</param>
/// <param name="AccessTypes">The accesses that stop: writes.</param>
internal sealed record DataBreakpointInfoBody(
    [property: System.Text.Json.Serialization.JsonIgnore(
        Condition = System.Text.Json.Serialization.JsonIgnoreCondition.Never)]
    string? DataId,
    string Description, IReadOnlyList<string>? AccessTypes);

/// <summary>A stop where a variable has been written.</summary>
internal sealed record DataBreakpoint
{
    /// <summary>The name by which it is watched.</summary>
    public required string DataId { get; init; }

    /// <summary>The access; left out or <c>write</c>.</summary>
    public string? AccessType { get; init; }

    /// <inheritdoc cref="SourceBreakpoint.Condition"/>
    public string? Condition { get; init; }

    /// <inheritdoc cref="SourceBreakpoint.HitCondition"/>
    public string? HitCondition { get; init; }
}

/// <summary>The arguments of <c>setDataBreakpoints</c>: all there are.</summary>
internal sealed record SetDataBreakpointsArguments
{
    /// <summary>The breakpoints.</summary>
    public required IReadOnlyList<DataBreakpoint> Breakpoints { get; init; }
}

/// <summary>A breakpoint as it is set.</summary>
/// <param name="Id">Its number, by which a stop names it.</param>
/// <param name="Verified">True if the service stops there.</param>
/// <param name="Message">The reason that it does not, or a remark.</param>
/// <param name="Source">The file.</param>
/// <param name="Line">The line.</param>
internal sealed record Breakpoint(int Id, bool Verified, string? Message, Source? Source, int? Line);

/// <summary>The body of the answers to requests that set breakpoints.</summary>
/// <param name="Breakpoints">One for each that was asked for, in order.</param>
internal sealed record BreakpointsBody(IReadOnlyList<Breakpoint> Breakpoints);
