namespace Emu.Direction.Editing.Messages;

/// <summary>The arguments of <c>scopes</c>.</summary>
internal sealed record ScopesArguments
{
    /// <summary>The number of the frame of the stack.</summary>
    public required int FrameId { get; init; }
}

/// <summary>The body of the answer to <c>scopes</c>.</summary>
/// <param name="Scopes">The scopes.</param>
internal sealed record ScopesBody(IReadOnlyList<Scope> Scopes);

/// <summary>A scope of variables.</summary>
/// <param name="Name">Its name.</param>
/// <param name="PresentationHint">The kind, such as <c>locals</c>.</param>
/// <param name="VariablesReference">The number by which its variables are asked for.</param>
/// <param name="Expensive">True if they are not asked for at once.</param>
internal sealed record Scope(string Name, string? PresentationHint, int VariablesReference, bool Expensive);

/// <summary>The arguments of <c>variables</c>.</summary>
internal sealed record VariablesArguments
{
    /// <summary>The number of the scope or owner.</summary>
    public required int VariablesReference { get; init; }

    /// <summary>The ones wanted: <c>indexed</c>, <c>named</c>, or all.</summary>
    public string? Filter { get; init; }

    /// <summary>The first one wanted.</summary>
    public int? Start { get; init; }

    /// <summary>The number of those wanted; 0 or left out for all.</summary>
    public int? Count { get; init; }
}

/// <summary>The body of the answer to <c>variables</c>.</summary>
/// <param name="Variables">The variables.</param>
internal sealed record VariablesBody(IReadOnlyList<Variable> Variables);

/// <summary>A variable.</summary>
/// <param name="Name">Its name among those of its owner.</param>
/// <param name="Value">Its value; empty if it has parts.</param>
/// <param name="Type">The kind of its value.</param>
/// <param name="EvaluateName">The name by which it is evaluated.</param>
/// <param name="VariablesReference">The number by which its parts are asked for; 0 if it has none.</param>
/// <param name="IndexedVariables">The number of its elements.</param>
/// <param name="PresentationHint">The way that it is shown.</param>
internal sealed record Variable(
    string Name, string Value, string? Type, string? EvaluateName, int VariablesReference, int? IndexedVariables,
    VariableHint? PresentationHint);

/// <summary>The way that a variable is shown.</summary>
/// <param name="Attributes">Its attributes, such as <c>readOnly</c>.</param>
internal sealed record VariableHint(IReadOnlyList<string> Attributes);

/// <summary>The arguments of <c>setVariable</c>.</summary>
internal sealed record SetVariableArguments
{
    /// <summary>The number of the owner.</summary>
    public required int VariablesReference { get; init; }

    /// <summary>The name among those of the owner.</summary>
    public required string Name { get; init; }

    /// <summary>The value as it was typed.</summary>
    public required string Value { get; init; }
}

/// <summary>The body of the answer to <c>setVariable</c>.</summary>
/// <param name="Value">The value that it has now.</param>
internal sealed record SetVariableBody(string Value);

/// <summary>The arguments of <c>evaluate</c>.</summary>
internal sealed record EvaluateArguments
{
    /// <summary>The text.</summary>
    public required string Expression { get; init; }

    /// <summary>The place that it comes from: <c>hover</c>, <c>watch</c>, <c>repl</c>.</summary>
    public string? Context { get; init; }
}

/// <summary>The body of the answer to <c>evaluate</c>.</summary>
/// <param name="Result">The value, or the lines that a command prints.</param>
/// <param name="Type">The kind of the value.</param>
/// <param name="VariablesReference">The number by which its parts are asked for; 0 if it has none.</param>
/// <param name="IndexedVariables">The number of its elements.</param>
internal sealed record EvaluateBody(string Result, string? Type, int VariablesReference, int? IndexedVariables);

/// <summary>The arguments of <c>completions</c>.</summary>
internal sealed record CompletionsArguments
{
    /// <summary>The text.</summary>
    public required string Text { get; init; }

    /// <summary>The place in it, counted as the editor counts columns.</summary>
    public required int Column { get; init; }
}

/// <summary>The body of the answer to <c>completions</c>.</summary>
/// <param name="Targets">The words that may stand there.</param>
internal sealed record CompletionsBody(IReadOnlyList<CompletionItem> Targets);

/// <summary>A word that may come next.</summary>
/// <param name="Label">The word.</param>
/// <param name="Start">The place of the text that it replaces, counted as the editor counts columns.</param>
/// <param name="Length">The length of this text.</param>
internal sealed record CompletionItem(string Label, int Start, int Length);
