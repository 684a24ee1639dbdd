using System.Text.Json;
using Emu.Direction.Editing.Messages;

namespace Emu.Direction.Editing;

/// <summary>The requests that a session does.</summary>
internal static class RequestTable
{
    /// <summary>The requests by their names.</summary>
    public static IReadOnlyDictionary<string, Func<DebugSession, JsonElement?, object?>> All { get; } =
        new Dictionary<string, Func<DebugSession, JsonElement?, object?>>
        {
            ["setBreakpoints"] = With<SetBreakpointsArguments>((session, it) => session.SetBreakpoints(it)),
            ["setFunctionBreakpoints"] =
                With<SetFunctionBreakpointsArguments>((session, it) => session.SetFunctionBreakpoints(it)),
            ["setExceptionBreakpoints"] = With<SetExceptionBreakpointsArguments>((_, it) => it.Filters.Count == 0
                ? null
                : throw new DebugAdapterException("exceptions stop nothing: a fault drops the frame and is counted")),
            ["dataBreakpointInfo"] =
                With<DataBreakpointInfoArguments>((session, it) => session.DataBreakpointInfo(it)),
            ["setDataBreakpoints"] =
                With<SetDataBreakpointsArguments>((session, it) => session.SetDataBreakpoints(it)),
            ["threads"] = (session, _) => session.Threads(),
            ["stackTrace"] = (session, _) => session.StackTrace(),
            ["scopes"] = With<ScopesArguments>((session, it) => session.Scopes(it)),
            ["variables"] = With<VariablesArguments>((session, it) => session.Variables(it)),
            ["setVariable"] = With<SetVariableArguments>((session, it) => session.SetVariable(it)),
            ["evaluate"] = With<EvaluateArguments>((session, it) => session.Evaluate(it)),
            ["completions"] = With<CompletionsArguments>((session, it) => session.Completions(it)),
            ["continue"] = (session, _) => session.Continue(),
            ["next"] = Done(session => session.Next()),
            ["pause"] = Done(session => session.Pause()),
        };

    /// <summary>The way to do without an unsupported request, behind a colon; empty if there is none.</summary>
    public static string Instead(string command) => command switch
    {
        "stepIn" or "stepOut" or "stepBack" or "goto" => ": next goes on to the next woven point",
        "terminate" or "restart" => ": the service belongs to whoever started it; disconnect lets it go on",
        "setExpression" => ": in the console, set X = E",
        _ => "",
    };

    private static Func<DebugSession, JsonElement?, object?> With<T>(Func<DebugSession, T, object?> request) =>
        (session, arguments) => request(session, DebugAdapter.Of<T>(arguments));

    private static Func<DebugSession, JsonElement?, object?> Done(Action<DebugSession> request) =>
        (session, _) =>
        {
            request(session);
            return null;
        };
}
