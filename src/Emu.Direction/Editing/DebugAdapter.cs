using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text.Json;
using Emu.Direction.Editing.Messages;

namespace Emu.Direction.Editing;

/// <summary>
/// A debug adapter: an editor that speaks the Debug Adapter Protocol directs a service (docs/direction.md).
/// </summary>
/// <param name="input">The messages of the editor.</param>
/// <param name="output">The messages to it.</param>
/// <param name="attach">
/// Finds the service; it throws <see cref="DebugAdapterException"/> with a line for the user if there is none.
/// </param>
public sealed class DebugAdapter(Stream input, Stream output, Func<AttachArguments, DebugTarget> attach)
{
    /// <summary>The time between two looks at a service that runs, and at one that is stopped.</summary>
    private static readonly TimeSpan s_running = TimeSpan.FromMilliseconds(50),
        s_stopped = TimeSpan.FromMilliseconds(250);

    private readonly MessageStream _stream = new(new BufferedStream(input), output);
    private readonly BlockingCollection<(byte[]? Message, string? WhyOver)> _messages = [];
    private readonly Stopwatch _sinceLook = new();
    private DebugSession? _session;
    private int _sent;
    private bool _isInitialized, _isOver;

    /// <summary>Serves the editor until it disconnects or its messages end.</summary>
    /// <returns>Null; or a line that says why the messages could be read no further.</returns>
    public string? Run()
    {
        new Thread(Read) { IsBackground = true, Name = "debug adapter" }.Start();
        try
        {
            while (!_isOver)
            {
                var period = _session is { IsStopped: true } ? s_stopped : s_running;
                var isThere = _session is null
                    ? _messages.TryTake(out var next, Timeout.Infinite)
                    : _messages.TryTake(out next, period);
                if (isThere && next.Message is null) return next.WhyOver;
                if (isThere) Handle(next.Message!);
                if (_session is not null && _sinceLook.Elapsed >= period) Look();
            }
            return null;
        }
        catch (IOException)
        {
            // The editor has gone, in the middle of what it was told.
            return null;
        }
        finally
        {
            _session?.Detach();
        }
    }

    private void Read()
    {
        string? why = null;
        try
        {
            while (_stream.Read() is { } message) _messages.Add((message, null));
        }
        catch (Exception exception) when (exception is FormatException or IOException or ObjectDisposedException)
        {
            why = exception is FormatException ? exception.Message : null;
        }
        _messages.Add((null, why));
    }

    private void Look()
    {
        _session!.Poll();
        _sinceLook.Restart();
        SendEvents();
    }

    private void Handle(byte[] message)
    {
        if (Parse(message) is not { } request)
        {
            Send(new AdapterEvent(
                ++_sent, "output", new OutputBody("important", "a message that is no request was left out\n")));
            return;
        }
        var command = request.Command!;
        try
        {
            var body = Do(command, request.Arguments);
            Send(new Response(++_sent, request.Seq, command, true, null, body));
            if (command == "attach") Send(new AdapterEvent(++_sent, "initialized", null));
        }
        catch (Exception exception) when (exception is DebugAdapterException or JsonException)
        {
            var text = exception is JsonException
                ? $"{command}: these are not the arguments that it takes: {exception.Message}"
                : exception.Message;
            Send(new Response(++_sent, request.Seq, command, false, text, new ErrorBody(ErrorMessage.Of(text))));
        }
        _session?.Notice();
        SendEvents();
    }

    private static Request? Parse(byte[] message)
    {
        try
        {
            var request = JsonSerializer.Deserialize<Request>(message, MessageStream.Json);
            return request is { Type: "request", Command: not null } ? request : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private object? Do(string command, JsonElement? arguments)
    {
        switch (command)
        {
            case "initialize":
                return Initialize(Of<InitializeArguments>(arguments));
            case "disconnect":
                _isOver = true;
                return null;
            case "launch":
                throw new DebugAdapterException(
                    "launch is not supported: start the service by ./emu run or simulate with --direct, and attach");
            case "attach":
                Attach(Of<AttachArguments>(arguments));
                return null;
            case "configurationDone":
                return null;
        }
        if (!RequestTable.All.TryGetValue(command, out var request))
            throw new DebugAdapterException($"{command} is not supported{RequestTable.Instead(command)}");
        var session = _session ?? throw new DebugAdapterException($"{command}: attach first");
        session.CheckTarget();
        return request(session, arguments);
    }

    private Capabilities Initialize(InitializeArguments arguments)
    {
        if (!arguments.LinesStartAt1 || !arguments.ColumnsStartAt1)
            throw new DebugAdapterException("lines and columns that are counted from 0 are not supported");
        _isInitialized = true;
        return new Capabilities();
    }

    private void Attach(AttachArguments arguments)
    {
        if (!_isInitialized) throw new DebugAdapterException("attach: initialize first");
        if (_session is not null) throw new DebugAdapterException("attach: it is attached");
        var target = attach(arguments);
        try
        {
            _session = new DebugSession(target);
        }
        catch
        {
            target.Dispose();
            throw;
        }
        _sinceLook.Start();
    }

    /// <summary>The arguments of a request.</summary>
    /// <exception cref="JsonException">They are not of this form.</exception>
    internal static T Of<T>(JsonElement? arguments) =>
        arguments is { ValueKind: JsonValueKind.Object } given
            ? given.Deserialize<T>(MessageStream.Json)!
            : throw new JsonException("there are none");

    private void SendEvents()
    {
        foreach (var (name, body) in _session?.TakeEvents() ?? []) Send(new AdapterEvent(++_sent, name, body));
    }

    private void Send(object message) => _stream.Write(message);
}
