using System.CommandLine;
using System.Text.Json;
using Emu.Direction.Directing;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary><c>emu direct</c></summary>
internal static class DirectVerb
{
    private const string Prompt = "direct> ";

    /// <summary>The address that requests of a capture go to where none is named: the one of the examples.</summary>
    private static readonly MacAddress s_service = new(0x0200_0000_0002);

    private static readonly JsonSerializerOptions s_json =
        new() { WriteIndented = true, PropertyNamingPolicy = JsonNamingPolicy.CamelCase };

    private static readonly Option<string?> s_port = new("--port", "-p")
    {
        Description = "The interface that the service is at: raw:IFACE or tap:NAME",
        HelpName = "PORT",
    };

    private static readonly Option<string?> s_to = new("--to")
    {
        Description = $"The MAC address of the service's direction frames; with captures {s_service} if left out",
        HelpName = "MAC",
    };

    private static readonly Option<string> s_key = new("--key")
    {
        Description = "The key: a file with 32 hexadecimal digits",
        HelpName = "FILE",
        Required = true,
    };

    private static readonly Option<string[]> s_commands =
        new("-c") { Description = "A command, once for each", HelpName = "COMMAND" };

    private static readonly Option<string?> s_file =
        new("-f") { Description = "A file of commands, one a line", HelpName = "SESSION" };

    private static readonly Option<uint?> s_session = new("--session")
    {
        Description = "The number of the session, from 1; with captures greater than those before",
        HelpName = "N",
    };

    private static readonly Option<string?> s_out = new("--out")
    {
        Description = "Write the requests to a capture, for run or simulate --in; the answers come by --in",
        HelpName = "FILE",
    };

    private static readonly Option<string?> s_in =
        new("--in") { Description = "Read the answers from a capture: what run or simulate wrote", HelpName = "FILE" };

    private static readonly Option<bool> s_asJson =
        new("--json") { Description = "Print the outcomes as JSON" };

    /// <summary>The address that answers go to.</summary>
    public static readonly MacAddress Director = new(0x0200_0000_D1EC);

    /// <summary>The number of a session that begins now.</summary>
    public static uint NewSession => (uint)DateTimeOffset.UtcNow.ToUnixTimeSeconds();

    /// <summary>Makes the verb.</summary>
    public static Command Create()
    {
        var verb = new Command(
            "direct",
            "Direct a service that runs: print and set its variables, count, trace and stop it (docs/direction.md). "
            + "Example: "
            + "./emu direct --port raw:h1 --to 02:00:00:00:00:02 --key key.txt -c 'print Forwarded'")
        {
            s_port, s_to, s_key, s_commands, s_file, s_session, s_out, s_in, s_asJson,
        };
        s_session.Validators.Add(result =>
        {
            // What is no number at all, the parser says.
            if (result.Tokens is [{ Value: "0" }]) result.AddError($"--session: from 1 to {uint.MaxValue}");
        });
        verb.SetAction(Direct);
        return verb;
    }

    private static int Direct(ParseResult parsed)
    {
        var (port, output, input) = (parsed.GetValue(s_port), parsed.GetValue(s_out), parsed.GetValue(s_in));
        if (new[] { port, output, input }.Count(way => way is not null) != 1)
            throw CommandException.Usage("direct: name one of --port (an interface), --out (requests), --in (answers)");
        if (parsed.GetValue(s_commands) is { Length: > 0 } && parsed.GetValue(s_file) is not null)
            throw CommandException.Usage("direct: commands come by -c or from a file, -f, not both");
        var isLive = port is not null;
        var session = parsed.GetValue(s_session) ?? (isLive
            ? NewSession
            : throw CommandException.Usage("--session N is needed with captures: the same for --out and --in"));
        var to = parsed.GetValue(s_to) is { } address ? DirectionArguments.ReadAddress("--to", address)
            : !isLive ? s_service
            : throw CommandException.Usage("--to MAC is needed with --port: the service's address");
        var key = DirectionArguments.ReadKey("--key", parsed.GetValue(s_key)!);
        var director = new DirectorSession(key, to, Director, session);
        var begin = isLive ? HostClock.Now : session;
        if (output is not null)
        {
            using var writer = CaptureWriter.Create(output);
            var requests = new RequestCapture(writer, writer.AddInterface("direction"), key);
            return Write(parsed, new Director(director, requests), requests, begin);
        }
        if (input is not null) return Run(parsed, new Director(director, new ReplyCapture(input)), begin);
        using var opened = OpenInterface("--port", port!);
        return Run(parsed, new Director(director, new PortLink(opened)), begin);
    }

    /// <summary>Opens the interface that a service is at.</summary>
    /// <exception cref="CommandException">It is a capture, or cannot be had.</exception>
    public static Port OpenInterface(string option, string port) => PortSpecification.IsCapture(port)
        ? throw CommandException.Usage($"{option}: an interface is needed; for captures there is direct --out and --in")
        : PortSpecification.Open(port);

    private static IEnumerable<string> Lines(ParseResult parsed, Director director)
    {
        if (parsed.GetValue(s_commands) is { Length: > 0 } commands) return commands;
        if (parsed.GetValue(s_file) is not { } file) return DirectPrompt.Lines(Prompt.Trim(), director.Names);
        try
        {
            return File.ReadAllLines(file);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw CommandException.Usage($"-f: {exception.Message.ReplaceLineEndings(" ")}");
        }
    }

    /// <summary>Writes the requests. What cannot be asked without answers is an error at once.</summary>
    private static int Write(ParseResult parsed, Director director, RequestCapture requests, ulong begin)
    {
        var (lines, isAsked) = (Lines(parsed, director), true);
        director.Begin(begin);
        foreach (var line in lines)
        {
            var before = requests.Written;
            if (director.Run(line) is not { } outcome || requests.Written > before) continue;
            isAsked = false;
            foreach (var text in outcome.Lines) Console.Error.WriteLine($"emu: {text}");
        }
        return isAsked ? 0 : 1;
    }

    private static int Run(ParseResult parsed, Director director, ulong begin)
    {
        var lines = Lines(parsed, director);
        if (director.Begin(begin) is { } why) throw CommandException.Failure($"direct: {why}");
        var outcomes = new List<CommandOutcome>();
        var (isJson, echoes) = (parsed.GetValue(s_asJson), parsed.GetValue(s_file) is not null);
        foreach (var line in lines)
        {
            if (director.Run(line) is not { } outcome) continue;
            outcomes.Add(outcome);
            if (isJson) continue;
            if (echoes) Console.Out.WriteLine($"{Prompt}{line}");
            foreach (var text in outcome.Lines) (outcome.Done || echoes ? Console.Out : Console.Error).WriteLine(text);
        }
        if (isJson) Console.Out.WriteLine(JsonSerializer.Serialize(outcomes, s_json));
        return outcomes.TrueForAll(outcome => outcome.Done) ? 0 : 1;
    }
}
