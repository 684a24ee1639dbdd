using System.Diagnostics;

namespace Emu.Hosting;

/// <summary>
/// Says what a command does that takes long, and how far it is: on a terminal in one line, which goes at the end; in a
/// log as lines, at growing distances. Nothing that takes less than two seconds is shown.
/// </summary>
internal sealed class Progress : IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(2), s_refresh = TimeSpan.FromSeconds(1);

    /// <summary>The width of a terminal that says none.</summary>
    private const int DefaultWidth = 80;

    private readonly Lock _lock = new();
    private readonly Stopwatch _watch = Stopwatch.StartNew();
    private readonly string _what;
    private readonly TextWriter _output;
    private readonly bool _isTerminal;
    private readonly int _width;
    private readonly Func<string> _state;
    private readonly Timer _timer;
    private string _noted = "";
    private double _next;
    private int _shown;

    /// <summary>Begins to count.</summary>
    /// <param name="what">The work, as <c>compiling Nat</c>.</param>
    /// <param name="output">The terminal or the log.</param>
    /// <param name="isTerminal">True for a terminal.</param>
    /// <param name="state">How far it is, from any thread; null for what is noted.</param>
    /// <param name="width">The most characters of a line on the terminal.</param>
    internal Progress(
        string what, TextWriter output, bool isTerminal, Func<string>? state = null, int width = int.MaxValue)
    {
        _width = width;
        (_what, _output, _isTerminal, _state) = (what, output, isTerminal, state ?? (() => Volatile.Read(ref _noted)));
        _timer = new Timer(_ => Show(), null, s_patience, s_refresh);
    }

    /// <summary>Begins to count, for standard error.</summary>
    /// <param name="what">The work, as <c>compiling Nat</c>.</param>
    /// <param name="state">How far it is, from any thread; null for what is noted.</param>
    public static Progress Of(string what, Func<string>? state = null) =>
        Console.IsErrorRedirected
            ? new(what, Console.Error, isTerminal: false, state)
            : new(what, Console.Error, isTerminal: true, state, Width);

    private static int Width => (Console.WindowWidth is > 0 and var width ? width : DefaultWidth) - 1;

    /// <summary>Says how far it is.</summary>
    public void Note(string state) => Volatile.Write(ref _noted, state);

    /// <summary>Takes the line of a terminal away.</summary>
    public void Dispose()
    {
        _timer.Dispose();
        lock (_lock)
        {
            if (_shown > 0) _output.Write($"\r{new string(' ', _shown)}\r");
            _shown = int.MinValue;
        }
    }

    /// <summary>Shows or rewrites the line, as the timer does; in a log, if it is time for another.</summary>
    internal void Show() => Show(_watch.Elapsed.TotalSeconds);

    /// <param name="seconds">The time since the beginning.</param>
    internal void Show(double seconds)
    {
        lock (_lock)
        {
            if (_shown < 0 || !_isTerminal && seconds < _next) return;
            var state = _state();
            var line = $"emu: {_what}: {(state.Length > 0 ? $"{state}, " : "")}{seconds:0} s";
            if (!_isTerminal)
            {
                _output.WriteLine(line);
                // After 2, 4, 8 … seconds, and then every minute.
                _next = seconds + Math.Clamp(seconds, s_patience.TotalSeconds, 60);
                return;
            }
            // A line that wraps would leave its first half behind.
            if (line.Length > _width) line = line[.._width];
            _output.Write($"\r{line.PadRight(_shown)}");
            _shown = Math.Max(_shown, line.Length);
        }
    }
}
