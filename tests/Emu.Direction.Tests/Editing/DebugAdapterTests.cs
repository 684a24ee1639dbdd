using System.Text.Json;
using Emu.Direction.Editing;
using Emu.Direction.Editing.Messages;

namespace Emu.Direction.Tests.Editing;

/// <summary>An editor at a service that runs in the test.</summary>
public sealed class DebugAdapterTests : IDisposable
{
    private const string File = "StoppedService.cs";
    private const string Features =
        $"print,set,break:{File}:16,break:{File}:17+frame.Length,watch:Total,trace:Total";

    private readonly LiveService _service = new(typeof(StoppedService), Features);
    private readonly Editor _editor;

    public DebugAdapterTests() => _editor = Editor.AttachedTo(_service);

    public void Dispose()
    {
        _editor.Dispose();
        _service.Dispose();
    }

    [Fact]
    public void It_stops_at_a_line_and_shows_where_and_what()
    {
        var breakpoint = Assert.Single(_editor.Break(File, new { line = 17, condition = "frame.Length > 100" }));
        Assert.True(breakpoint.GetProperty("verified").GetBoolean());
        _service.Receive(Frame(60));
        _service.Receive(Frame(200));
        var stopped = _editor.Event("stopped");
        Assert.Equal("breakpoint", stopped.GetProperty("reason").GetString());
        Assert.Equal(
            breakpoint.GetProperty("id").GetInt32(), stopped.GetProperty("hitBreakpointIds")[0].GetInt32());

        var thread = Assert.Single(_editor.Do("threads").GetProperty("threads").EnumerateArray());
        Assert.Equal("StoppedService", thread.GetProperty("name").GetString());
        var frame = Assert.Single(
            _editor.Do("stackTrace", new { threadId = 1 }).GetProperty("stackFrames").EnumerateArray());
        Assert.Equal("StoppedService.Process", frame.GetProperty("name").GetString());
        Assert.Equal(17, frame.GetProperty("line").GetInt32());
        Assert.Equal($"/src/{File}", frame.GetProperty("source").GetProperty("path").GetString());

        var scopes = _editor.Do("scopes", new { frameId = 1 }).GetProperty("scopes");
        Assert.Equal(["Locals", "Service"], Names(scopes));
        Assert.Equal(["port = 0", "source = 02:00:00:00:00:07", "sum = 200"], Values(scopes[0]).Order());
        Assert.Equal(["Total = 60", "frame = ", "frame = "], Values(scopes[1]));
        var set = _editor.Do(
            "setVariable", new { variablesReference = Owner(scopes[0]), name = "sum", value = "0x10" });
        Assert.Equal("16", set.GetProperty("value").GetString());
        Assert.Contains("no room", _editor.Refused(
            "setVariable", new { variablesReference = Owner(scopes[0]), name = "sum", value = "0x100000000" }));

        _editor.Do("continue", new { threadId = 1 });
        _editor.Break(File);
        Assert.Equal("16", _editor.Evaluate("this.Total"));
        Assert.Contains("the service runs", _editor.Refused("scopes", new { frameId = 1 }));
    }

    [Fact]
    public void The_stack_has_a_frame_for_each_call_that_led_to_the_stop()
    {
        using var service = new LiveService(typeof(CallingService), "print,break:Add");
        using var editor = Editor.AttachedTo(service);
        editor.Do("setFunctionBreakpoints", new { breakpoints = new[] { new { name = "Add" } } });
        service.Receive(Frame(60));
        editor.Event("stopped");
        var stack = editor.Do("stackTrace", new { threadId = 1 }).GetProperty("stackFrames");
        var frames = stack.EnumerateArray().ToList();
        Assert.Equal(
            ["CallingService.Add:18", "CallingService.Process:12"],
            frames.Select(frame => $"{frame.GetProperty("name")}:{frame.GetProperty("line")}"));
        Assert.All(
            frames,
            frame => Assert.Equal("CallingService.cs", frame.GetProperty("source").GetProperty("name").GetString()));
        var caller = frames[1].GetProperty("id").GetInt32();
        Assert.Equal(["Service"], Names(editor.Do("scopes", new { frameId = caller }).GetProperty("scopes")));
    }

    /// <summary>
    /// A frame may have stopped before the editor took its breakpoint back, and was not seen until then.
    /// </summary>
    [Fact]
    public void A_stop_at_a_breakpoint_that_was_taken_back_goes_on()
    {
        using var service = new LiveService(typeof(StoppedService), Features);
        var session = new DebugSession(service.Target());
        Breakpoints(session, 17);
        service.Receive(Frame(200));
        Breakpoints(session);
        session.Poll();
        Assert.False(session.IsStopped);
        Assert.Empty(session.TakeEvents());
        Assert.Equal("200", session.Evaluate(new EvaluateArguments { Expression = "this.Total" }).Result);
    }

    private static void Breakpoints(DebugSession session, params int[] lines) => session.SetBreakpoints(
        new SetBreakpointsArguments
        {
            Source = new Source(File, $"/src/{File}"),
            Breakpoints = [.. lines.Select(line => new SourceBreakpoint { Line = line })],
        });

    [Theory]
    [InlineData("== 3", 3)]
    [InlineData("3", 3)]
    [InlineData("% 2", 2)]
    public void It_stops_at_a_hit(string hitCondition, int first)
    {
        _editor.Break(File, new { line = 17, hitCondition });
        for (var i = 1; i <= 5; i++) _service.Receive(Frame(60 + i));
        _editor.Event("stopped");
        Assert.Equal($"{60 + first}", _editor.Evaluate("sum", "hover"));
    }

    [Theory]
    [InlineData(15, null, null, "line 15 is not woven: woven are lines 16, 17 of StoppedService.cs; weave it when "
        + "the service is started, --direct break:StoppedService.cs:15")]
    [InlineData(10, null, null, "no code begins on line 10 of StoppedService.cs, but on 14; woven are lines 16, 17")]
    [InlineData(17, "port > 1", null, "does not compare port")]
    [InlineData(17, "port >", null, "the condition ends too soon")]
    [InlineData(17, null, "often", "'often' is no hit count")]
    public void A_breakpoint_that_cannot_be_says_why(int line, string? condition, string? hitCondition, string why)
    {
        var breakpoint = Assert.Single(_editor.Break(File, new { line, condition, hitCondition }));
        Assert.False(breakpoint.GetProperty("verified").GetBoolean());
        Assert.Contains(why, breakpoint.GetProperty("message").GetString());
    }

    [Fact]
    public void A_file_of_another_program_has_no_breakpoints() => Assert.Contains(
        "Other.cs has no code of StoppedService",
        Assert.Single(_editor.Break("Other.cs", new { line = 1 })).GetProperty("message").GetString());

    [Fact]
    public void Methods_and_writes_stop_it()
    {
        var methods = _editor.Do(
            "setFunctionBreakpoints", new { breakpoints = new[] { new { name = $"{File}:16" }, new { name = "Go" } } })
            .GetProperty("breakpoints");
        Assert.Equal([true, false], methods.EnumerateArray().Select(b => b.GetProperty("verified").GetBoolean()));
        Assert.Contains("break Go is not woven", methods[1].GetProperty("message").GetString());
        _service.Receive(Frame(60));
        Assert.Equal("break StoppedService.cs:16", _editor.Event("stopped").GetProperty("description").GetString());

        var info = _editor.Do("dataBreakpointInfo", new { name = "Total" });
        Assert.Equal("Total", info.GetProperty("dataId").GetString());
        var none = _editor.Do("dataBreakpointInfo", new { name = "sum" });
        Assert.Equal(JsonValueKind.Null, none.GetProperty("dataId").ValueKind);
        _editor.Do(
            "setDataBreakpoints", new { breakpoints = new[] { new { dataId = "Total", condition = "Total > 50" } } });
        _editor.Do("continue", new { threadId = 1 });
        Assert.Equal("data breakpoint", _editor.Event("stopped").GetProperty("reason").GetString());
        Assert.Equal("60", _editor.Evaluate("Total"));
    }

    [Fact]
    public void A_logpoint_prints_what_a_trace_keeps_and_stops_nothing()
    {
        var breakpoint = Assert.Single(_editor.Break(File, new { line = 17, logMessage = "the sum is {Total}!" }));
        Assert.False(breakpoint.TryGetProperty("message", out _));
        for (var i = 0; i < 3; i++) _service.Receive(Frame(100 + i));
        for (var i = 0; i < 3; i++)
        {
            var output = _editor.Event("output");
            Assert.Equal($"the sum is {100 + i}!\n", output.GetProperty("output").GetString());
            Assert.Equal(17, output.GetProperty("line").GetInt32());
        }
    }

    [Fact]
    public void A_logpoint_of_several_names_stops_for_a_moment_and_says_so()
    {
        var breakpoint = Assert.Single(_editor.Break(File, new { line = 17, logMessage = "{sum} behind {Total}" }));
        Assert.Contains("stopped for a moment", breakpoint.GetProperty("message").GetString());
        _service.Receive(Frame(100));
        _service.Receive(Frame(101));
        Assert.Equal("100 behind 0\n", _editor.Event("output").GetProperty("output").GetString());
        Assert.Equal("101 behind 100\n", _editor.Event("output").GetProperty("output").GetString());
    }

    [Fact]
    public void Pause_stops_at_the_next_point_and_next_goes_on_to_one()
    {
        _editor.Break(File, new { line = 17, condition = "frame.Length > 100" });
        _editor.Do("pause", new { threadId = 1 });
        _service.Receive(Frame(60));
        Assert.Equal("pause", _editor.Event("stopped").GetProperty("reason").GetString());
        Assert.Equal(16, Line());
        _editor.Do("next", new { threadId = 1 });
        Assert.Equal("step", _editor.Event("stopped").GetProperty("reason").GetString());
        Assert.Equal(17, Line());
        // The condition is as it was before.
        _editor.Do("continue", new { threadId = 1 });
        _service.Receive(Frame(61));
        _service.Receive(Frame(200));
        Assert.Equal("breakpoint", _editor.Event("stopped").GetProperty("reason").GetString());
        Assert.Equal("200", _editor.Evaluate("sum"));
    }

    [Fact]
    public void The_console_takes_every_command()
    {
        var breakpoint = Assert.Single(_editor.Break(File, new { line = 16 }));
        Assert.Equal("Total = 7", _editor.Evaluate("set Total = 7", "repl"));
        Assert.Equal("7", _editor.Evaluate("Total", "repl"));
        Assert.Contains(
            "'=' is missing", _editor.Refused("evaluate", new { expression = "set Total", context = "repl" }));
        _editor.Evaluate("unbreak StoppedService.cs:16", "repl");
        var changed = _editor.Event("breakpoint").GetProperty("breakpoint");
        Assert.Equal(breakpoint.GetProperty("id").GetInt32(), changed.GetProperty("id").GetInt32());
        Assert.False(changed.GetProperty("verified").GetBoolean());
        _editor.Evaluate("break StoppedService.cs:17 if frame.Length == 70", "repl");
        _service.Receive(Frame(60));
        _service.Receive(Frame(70));
        _editor.Event("stopped");
        _editor.Evaluate("continue", "repl");
        _editor.Event("continued");
        var targets = _editor.Do("completions", new { text = "break Stop", column = 11 }).GetProperty("targets");
        Assert.Equal($"{File}:16", targets[0].GetProperty("label").GetString());
        Assert.Equal(7, targets[0].GetProperty("start").GetInt32());
        Assert.Equal(4, targets[0].GetProperty("length").GetInt32());
    }

    [Fact]
    public void A_service_that_is_gone_is_told()
    {
        _service.IsGone = true;
        Assert.Contains("does not answer any more", _editor.Event("output").GetProperty("output").GetString());
        _editor.Event("terminated");
        Assert.Contains("does not answer any more", _editor.Refused("threads"));
        _editor.Do("disconnect");
        Assert.Null(_editor.Ended());
    }

    [Fact]
    public void A_stop_that_ends_by_its_lease_is_told()
    {
        _editor.Break(File, new { line = 17 });
        _service.Receive(Frame(60));
        _editor.Event("stopped");
        _service.Wait(61);
        Assert.Contains("its lease has ended", _editor.Event("output").GetProperty("output").GetString());
        _editor.Event("continued");
    }

    [Fact]
    public void An_editor_that_leaves_lets_the_service_go_on()
    {
        _editor.Break(File, new { line = 17 });
        _service.Receive(Frame(60));
        _editor.Event("stopped");
        _editor.Do("disconnect");
        Assert.Null(_editor.Ended());
        using var target = _service.Target();
        var director = target.Begin();
        Assert.Null(director.ReadStatus()!.StoppedAt);
        _service.Receive(Frame(61));
        Assert.Null(director.ReadStatus()!.StoppedAt);
        Assert.Equal(2, _service.Sent);
    }

    [Theory]
    [InlineData("stepIn", "stepIn is not supported: next goes on to the next woven point")]
    [InlineData("terminate", "terminate is not supported: the service belongs to whoever started it")]
    [InlineData("disassemble", "disassemble is not supported")]
    [InlineData("launch", "launch is not supported: start the service by ./emu run or simulate")]
    [InlineData("attach", "attach: these are not the arguments that it takes: there are none")]
    [InlineData("setBreakpoints", "setBreakpoints: these are not the arguments")]
    [InlineData("stackTrace", "the service runs; pause stops it")]
    [InlineData("next", "the service runs; pause stops it")]
    public void A_request_that_cannot_be_done_says_why(string command, string why) =>
        Assert.StartsWith(why, _editor.Refused(command));

    [Theory]
    [InlineData("}{")]
    [InlineData("[]")]
    [InlineData("{\"seq\":1,\"type\":\"response\"}")]
    [InlineData("{\"seq\":\"x\",\"type\":\"request\",\"command\":\"threads\"}")]
    public void A_message_that_is_no_request_is_left_out(string json)
    {
        _editor.Send($"Content-Length: {json.Length}\r\n\r\n{json}");
        Assert.Contains("no request", _editor.Event("output").GetProperty("output").GetString());
        _editor.Do("threads");
    }

    [Fact]
    public void Bytes_that_are_no_messages_end_it()
    {
        _editor.Send("threads\r\n\r\n");
        Assert.Equal("'threads' is no line of a header, such as Content-Length: 119", _editor.Ended());
    }

    [Fact]
    public void Arrays_are_shown_in_parts()
    {
        using var service = new LiveService(typeof(Services.LearningSwitch), "print,set,break:Process");
        using var editor = Editor.AttachedTo(service);
        editor.Do("pause", new { threadId = 1 });
        service.Receive(Frame(60));
        editor.Event("stopped");
        var scopes = editor.Do("scopes", new { frameId = 1 }).GetProperty("scopes");
        var state = editor.Do("variables", new { variablesReference = Owner(scopes[scopes.GetArrayLength() - 1]) })
            .GetProperty("variables").EnumerateArray().ToList();
        var stations = state.Find(v => v.GetProperty("name").GetString() == "Stations");
        Assert.Equal(256, stations.GetProperty("indexedVariables").GetInt32());
        var some = editor.Do(
            "variables", new { variablesReference = Owner(stations), filter = "indexed", start = 3, count = 2 })
            .GetProperty("variables");
        Assert.Equal(["[3]", "[4]"], Names(some));
        editor.Do("setVariable", new { variablesReference = Owner(some[0]), name = "Value", value = "{0,2}" });
        Assert.Equal("{0,2}", editor.Evaluate("Stations[3].Value"));
        Assert.Contains(
            "no variable Stations[3].Nothing", editor.Refused("evaluate", new { expression = "Stations[3].Nothing" }));
        Assert.Contains("elements", editor.Refused("evaluate", new { expression = "Stations[256].Value" }));
    }

    [Fact]
    public void Where_nothing_answers_it_does_not_attach()
    {
        using var editor = new Editor(_ => _service.Target());
        var arguments = new { port = "", to = "", key = "", service = "" };
        Assert.Contains("initialize first", editor.Refused("attach", arguments));
        editor.Do("initialize", new { adapterID = "emu" });
        Assert.Contains("attach first", editor.Refused("threads"));
        _service.IsGone = true;
        Assert.Contains("no answer", editor.Refused("attach", arguments));
        Assert.Contains("'to'", editor.Refused("attach", new { port = "", key = "", service = "" }));
    }

    private static byte[] Frame(int length)
    {
        var frame = new byte[length];
        (frame[0], frame[6], frame[11]) = (2, 2, 7);
        return frame;
    }

    private static int Owner(JsonElement variable) => variable.GetProperty("variablesReference").GetInt32();

    private static IEnumerable<string> Names(JsonElement variables) =>
        variables.EnumerateArray().Select(variable => variable.GetProperty("name").GetString()!);

    private IEnumerable<string> Values(JsonElement scope) =>
        _editor.Do("variables", new { variablesReference = Owner(scope) }).GetProperty("variables").EnumerateArray()
            .Select(variable => $"{variable.GetProperty("name")} = {variable.GetProperty("value")}");

    private int Line() => _editor.Do("stackTrace", new { threadId = 1 })
        .GetProperty("stackFrames")[0].GetProperty("line").GetInt32();
}
