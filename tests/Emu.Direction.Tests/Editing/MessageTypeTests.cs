namespace Emu.Direction.Tests.Editing;

/// <summary>The messages of the adapter are those that the protocol's own types say.</summary>
public sealed class MessageTypeTests
{
    private const string File = "StoppedService.cs";

    [Fact]
    [Slow("node")]
    public void Messages_are_of_the_types_of_the_protocol()
    {
        var packages = EditorPackages.Require();
        using var service = new LiveService(
            typeof(StoppedService), $"print,set,break:{File}:16,break:{File}:17,watch:Total,trace:Total");
        using var editor = Editor.AttachedTo(service);
        editor.Break(File, new { line = 17 }, new { line = 15 }, new { line = 16, logMessage = "{sum}" });
        editor.Do("setFunctionBreakpoints", new { breakpoints = new[] { new { name = "Process" } } });
        editor.Do("setExceptionBreakpoints", new { filters = Array.Empty<string>() });
        editor.Do("configurationDone");
        service.Receive([2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 7, .. new byte[48]]);
        editor.Event("output");
        editor.Event("stopped");
        editor.Do("threads");
        editor.Do("stackTrace", new { threadId = 1 });
        foreach (var scope in editor.Do("scopes", new { frameId = 1 }).GetProperty("scopes").EnumerateArray())
        {
            var owner = scope.GetProperty("variablesReference").GetInt32();
            editor.Do("variables", new { variablesReference = owner });
            if (scope.GetProperty("name").GetString() == "Service")
                editor.Do("setVariable", new { variablesReference = owner, name = "Total", value = "1" });
        }
        editor.Do("evaluate", new { expression = "Total", context = "hover" });
        editor.Do("evaluate", new { expression = $"unbreak {File}:17", context = "repl" });
        editor.Event("breakpoint");
        editor.Do("completions", new { text = "pr", column = 3 });
        editor.Do("dataBreakpointInfo", new { name = "Total" });
        editor.Do("dataBreakpointInfo", new { name = "sum" });
        editor.Do("setDataBreakpoints", new { breakpoints = new[] { new { dataId = "Total" } } });
        editor.Do("next", new { threadId = 1 });
        editor.Event("stopped");
        editor.Refused("stepIn", new { threadId = 1 });
        editor.Do("continue", new { threadId = 1 });
        editor.Do("pause", new { threadId = 1 });
        service.IsGone = true;
        editor.Event("terminated");
        editor.Do("disconnect");
        editor.Ended();
        Assert.Equal("", EditorPackages.Check(packages, editor.Messages.Select(message => message.GetRawText())));
    }

    [Fact]
    [Slow("node")]
    public void Messages_of_other_types_are_found()
    {
        static string Message(string name, string body) =>
            $$"""{"seq":1,"type":"event","event":"{{name}}","body":{{body}}}""";

        var errors = EditorPackages.Check(
            EditorPackages.Require(),
            [
                Message("stopped", """{"threadId":1}"""), Message("output", """{"output":7}"""),
                Message("output", """{"output":"","words":""}"""),
            ]);
        Assert.Contains("'reason' is missing", errors);
        Assert.Contains("'number' is not assignable", errors);
        Assert.Contains("\"words\"' does not exist", errors);
    }
}
