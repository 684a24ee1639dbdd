using System.Collections.Concurrent;
using System.IO.Pipes;
using System.Text;
using System.Text.Json;
using Emu.Direction.Editing;

namespace Emu.Direction.Tests.Editing;

/// <summary>An editor at the other end of an adapter's streams.</summary>
internal sealed class Editor : IDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(10);

    private readonly AnonymousPipeServerStream _toAdapter = new(PipeDirection.Out);
    private readonly AnonymousPipeServerStream _fromAdapter = new(PipeDirection.In);
    private readonly AnonymousPipeClientStream _adapterInput, _adapterOutput;
    private readonly BlockingCollection<JsonElement> _responses = [], _events = [];
    private readonly MessageStream _stream;
    private readonly Task<string?> _adapter;
    private readonly Task _reading;
    private int _sequence;

    public Editor(Func<AttachArguments, DebugTarget> attach)
    {
        _adapterInput = new AnonymousPipeClientStream(PipeDirection.In, _toAdapter.ClientSafePipeHandle);
        _adapterOutput = new AnonymousPipeClientStream(PipeDirection.Out, _fromAdapter.ClientSafePipeHandle);
        _stream = new MessageStream(_fromAdapter, _toAdapter);
        var adapter = new DebugAdapter(_adapterInput, _adapterOutput, attach);
        _adapter = Start(() =>
        {
            var why = adapter.Run();
            _adapterOutput.Dispose();
            return why;
        });
        _reading = Start(() =>
        {
            while (_stream.Read() is { } bytes) Sort(JsonDocument.Parse(bytes).RootElement);
            _responses.CompleteAdding();
            _events.CompleteAdding();
            return true;
        });
    }

    /// <summary>All messages of the adapter.</summary>
    public ConcurrentQueue<JsonElement> Messages { get; } = [];

    /// <summary>An editor that is attached to a service.</summary>
    public static Editor AttachedTo(LiveService service)
    {
        var editor = new Editor(_ => service.Target());
        editor.Do("initialize", new { adapterID = "emu" });
        editor.Do("attach", new { port = "raw:h1", to = "02:00:00:00:00:ee", key = "key.txt", service = "S" });
        editor.Event("initialized");
        return editor;
    }

    /// <summary>Sends a request, which the adapter does.</summary>
    /// <returns>The body of the response.</returns>
    public JsonElement Do(string command, object? arguments = null)
    {
        var response = Request(command, arguments);
        Assert.True(response.GetProperty("success").GetBoolean(), response.ToString());
        return response.TryGetProperty("body", out var body) ? body : default;
    }

    /// <summary>Sends a request, which the adapter refuses.</summary>
    /// <returns>The message.</returns>
    public string Refused(string command, object? arguments = null)
    {
        var response = Request(command, arguments);
        Assert.False(response.GetProperty("success").GetBoolean(), response.ToString());
        return response.GetProperty("message").GetString()!;
    }

    /// <summary>Sends bytes as they are.</summary>
    public void Send(string bytes) => _toAdapter.Write(Encoding.UTF8.GetBytes(bytes));

    /// <summary>Waits for an event of a name; those of others before it are left out.</summary>
    public JsonElement Event(string name)
    {
        while (_events.TryTake(out var next, s_limit))
        {
            if (next.GetProperty("event").GetString() == name)
                return next.TryGetProperty("body", out var body) ? body : default;
        }
        throw new TimeoutException($"there is no event {name}");
    }

    /// <summary>Sets breakpoints at the lines of a file.</summary>
    public IReadOnlyList<JsonElement> Break(string file, params object[] breakpoints) =>
    [
        .. Do("setBreakpoints", new { source = new { path = $"/src/{file}" }, breakpoints })
            .GetProperty("breakpoints").EnumerateArray(),
    ];

    /// <summary>The value of an expression.</summary>
    public string Evaluate(string expression, string context = "watch") =>
        Do("evaluate", new { expression, context }).GetProperty("result").GetString()!;

    /// <summary>Ends the input.</summary>
    /// <returns>What the adapter returned.</returns>
    public string? End()
    {
        _toAdapter.Dispose();
        return Ended();
    }

    /// <summary>Waits until the adapter has ended of its own accord.</summary>
    public string? Ended()
    {
        Assert.True(_adapter.Wait(s_limit));
        return _adapter.Result;
    }

    public void Dispose()
    {
        End();
        Assert.True(_reading.Wait(s_limit));
        _fromAdapter.Dispose();
        _adapterInput.Dispose();
    }

    private static Task<T> Start<T>(Func<T> work) =>
        Task.Factory.StartNew(work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private JsonElement Request(string command, object? arguments)
    {
        _stream.Write(new { seq = ++_sequence, type = "request", command, arguments });
        while (_responses.TryTake(out var response, s_limit))
        {
            if (response.GetProperty("request_seq").GetInt32() == _sequence) return response;
        }
        throw new TimeoutException($"there is no answer to {command}");
    }

    private void Sort(JsonElement message)
    {
        Messages.Enqueue(message);
        (message.GetProperty("type").GetString() == "event" ? _events : _responses).Add(message);
    }
}
