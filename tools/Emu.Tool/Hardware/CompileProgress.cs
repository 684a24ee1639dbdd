using System.Diagnostics;
using Emu.Compiler.IR;

namespace Emu.Tool;

/// <summary>A line about a compilation that takes long: the service, the last pass and the seconds so far.</summary>
internal sealed class CompileProgress : IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(2), s_refresh = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private readonly Stopwatch _watch = Stopwatch.StartNew();
    private readonly string _service;
    private readonly TextWriter _terminal;
    private readonly Timer _timer;
    private string _pass = "translation";
    private int _shown;

    /// <summary>Begins to count.</summary>
    /// <param name="service">The service's name.</param>
    /// <param name="terminal">The terminal; the line is rewritten there and goes with the compilation's end.</param>
    public CompileProgress(string service, TextWriter terminal)
    {
        (_service, _terminal) = (service, terminal);
        _timer = new Timer(_ => Show(), null, s_patience, s_refresh);
    }

    /// <summary>Begins to count where somebody looks at a terminal; elsewhere there is no line.</summary>
    public static CompileProgress? OnTerminal(string service) =>
        Console.IsErrorRedirected ? null : new CompileProgress(service, Console.Error);

    /// <summary>A <see cref="Emu.Compiler.Passes.PassObserver"/>.</summary>
    public void Note(string pass, IReadOnlyList<Function> functions) => Volatile.Write(ref _pass, pass);

    /// <summary>Takes the line away.</summary>
    public void Dispose()
    {
        _timer.Dispose();
        lock (_lock)
        {
            if (_shown > 0) _terminal.Write($"\r{new string(' ', _shown)}\r");
            _shown = int.MinValue;
        }
    }

    /// <summary>Shows or rewrites the line, as the timer does.</summary>
    internal void Show()
    {
        lock (_lock)
        {
            if (_shown < 0) return;
            var line = $"emu: compiling {_service}: {Volatile.Read(ref _pass)}, {_watch.Elapsed.TotalSeconds:0} s";
            _terminal.Write($"\r{line.PadRight(_shown)}");
            _shown = Math.Max(_shown, line.Length);
        }
    }
}
