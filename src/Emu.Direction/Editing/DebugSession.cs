using System.Globalization;
using System.Text.RegularExpressions;
using Emu.Direction.Directing;
using Emu.Direction.Editing.Messages;
using Emu.Direction.Language;

namespace Emu.Direction.Editing;

/// <summary>
/// An editor's session with a service: requests become commands of direction, and what the service is found to do
/// becomes events.
/// </summary>
internal sealed partial class DebugSession
{
    private const int Thread = 1, Frame = 1;

    private readonly DebugTarget _target;
    private readonly Director _director;
    private readonly StopTable _stops;
    private readonly BreakpointMap _map;
    private readonly VariableView _view;
    private readonly CommandCompletion _completion;
    private readonly IReadOnlyList<string> _names;
    private readonly Logpoints _logpoints;
    private readonly Dictionary<string, Source> _files = [];
    private readonly List<(string Name, object? Body)> _events = [];
    private IReadOnlyDictionary<int, string>? _places;
    private string? _stoppedAt, _goal;
    private bool _isOver;
    private uint _lost;

    /// <summary>Begins the session.</summary>
    /// <exception cref="DebugAdapterException">The service does not answer, or refuses it.</exception>
    public DebugSession(DebugTarget target)
    {
        _target = target;
        _director = target.Begin();
        var variables = _director.Variables();
        _lost = _director.ReadStatus()?.Lost ?? 0;
        if (target.IsLost) throw new DebugAdapterException("the service began a session, and then did not answer");
        _names = [.. variables.Select(variable => variable.Name)];
        List<string> woven = [.. variables.Where(v => v.Kind == VariableKind.Probe).Select(v => v.Name)];
        _stops = new StopTable(_director, woven);
        _map = new BreakpointMap(target.Source, woven);
        _view = new VariableView(_director, variables, target.Source.Methods);
        _logpoints = new Logpoints(_director, Print);
        _completion = new CommandCompletion(() => _names);
    }

    /// <summary>True while the service is stopped.</summary>
    public bool IsStopped => _stoppedAt is not null;

    /// <summary>Takes the events that there are for the editor.</summary>
    public IReadOnlyList<(string Name, object? Body)> TakeEvents()
    {
        List<(string, object?)> events = [.. _events];
        _events.Clear();
        return events;
    }

    /// <summary>Looks at the service.</summary>
    public void Poll()
    {
        if (_isOver) return;
        var status = _director.ReadStatus();
        if (status is null)
        {
            End();
            return;
        }
        if (_stoppedAt is not null && status.StoppedAt != _stoppedAt)
        {
            Say("important", "the service goes on: its lease has ended, or another director has had it go on");
            _events.Add(("continued", new ContinuedBody(Thread, true)));
            Leave(null);
        }
        if (status.StoppedAt is { } point && point != _stoppedAt) Stop(point);
        if (status.Lost > _lost) Say("important", $"{status.Lost - _lost} frames were lost while it was stopped");
        _lost = status.Lost;
        foreach (var trace in _stops.Traces) _logpoints.Read(trace);
        if (_target.IsLost) End();
    }

    /// <summary>Leaves the service as it was: it goes on, and nothing is set.</summary>
    public void Detach()
    {
        if (!_isOver)
        {
            _stops.Clear();
            if (_goal is not null) _stops.Restore();
            if (_director.ReadStatus() is { StoppedAt: not null }) _director.Run("continue");
        }
        _target.Dispose();
    }

    /// <summary>Throws if the service is there no more.</summary>
    /// <exception cref="DebugAdapterException">It does not answer.</exception>
    public void CheckTarget()
    {
        if (_isOver) throw new DebugAdapterException("the service does not answer any more; attach again");
    }

    /// <summary>Ends the session if a request had no answer.</summary>
    public void Notice()
    {
        if (_target.IsLost && !_isOver) End();
    }

    /// <summary><c>setBreakpoints</c></summary>
    public BreakpointsBody SetBreakpoints(SetBreakpointsArguments arguments)
    {
        var file = arguments.Source;
        _files[Path.GetFileName(file.Path ?? file.Name ?? "")] = file;
        return Set($"file {file.Path ?? file.Name}", (arguments.Breakpoints ?? []).Select(one => _map.At(file, one)));
    }

    /// <summary><c>setFunctionBreakpoints</c></summary>
    public BreakpointsBody SetFunctionBreakpoints(SetFunctionBreakpointsArguments arguments) =>
        Set("methods", arguments.Breakpoints.Select(_map.At));

    /// <summary><c>setDataBreakpoints</c></summary>
    public BreakpointsBody SetDataBreakpoints(SetDataBreakpointsArguments arguments) =>
        Set("data", arguments.Breakpoints.Select(_map.At));

    /// <summary><c>dataBreakpointInfo</c></summary>
    public DataBreakpointInfoBody DataBreakpointInfo(DataBreakpointInfoArguments arguments) => _map.Info(
        arguments.VariablesReference is > 0 and var owner
            ? _view.PathOf(owner, arguments.Name)
            : _view.Resolved(arguments.Name));

    /// <summary><c>threads</c></summary>
    public ThreadsBody Threads() => new([new ThreadInfo(Thread, _target.Source.Service)]);

    /// <summary><c>stackTrace</c></summary>
    public StackTraceBody StackTrace()
    {
        var point = StoppedPoint();
        List<StackFrame> frames = [.. _director.Calls().Select((place, depth) => FrameOf(Frame + depth, place))];
        // The innermost place has no line in a property without code of its own; the source knows who assigns it.
        if (frames is not [{ Source: not null }, ..]) frames = [FrameOf(point), .. frames.Skip(1)];
        return new StackTraceBody(frames, frames.Count);
    }

    /// <summary>The frame of a place that the service has numbered; the names stay while it runs.</summary>
    private StackFrame FrameOf(int id, int number)
    {
        var place = (_places ??= _director.Places()).GetValueOrDefault(number, "?");
        if (CallPlace().Match(place) is not { Success: true } match) return new StackFrame(id, place, null, 0, 0);
        var file = match.Groups["file"].Value;
        var source = _files.GetValueOrDefault(file)
            ?? (_target.Source.PathOf(file) is { } path ? new Source(file, path) : null);
        return new StackFrame(
            id, $"{_target.Source.Service}.{match.Groups["method"].Value}", source,
            source is null ? 0 : int.Parse(match.Groups["line"].Value, CultureInfo.InvariantCulture),
            source is null ? 0 : 1);
    }

    /// <summary>The frame of the point at which the service is stopped, as its source has it.</summary>
    private StackFrame FrameOf(string point)
    {
        var places = _target.Source.PlacesOf(point);
        if (places is not [var place])
        {
            var where = places.Count == 0
                ? point
                : $"{point}: one of {string.Join(", ", places.Select(known => known.Name))}";
            return new StackFrame(Frame, where, null, 0, 0);
        }
        var source = _files.GetValueOrDefault(Path.GetFileName(place.File)) ?? WantedStop.SourceOf(place);
        return new StackFrame(Frame, $"{_target.Source.Service}.{place.Method}", source, place.Line, 1);
    }

    /// <summary><c>scopes</c>; locals are known of the innermost frame, in which it stopped.</summary>
    public ScopesBody Scopes(ScopesArguments arguments)
    {
        StoppedPoint();
        return _view.Scopes(hasLocals: arguments.FrameId == Frame);
    }

    /// <summary><c>variables</c></summary>
    public VariablesBody Variables(VariablesArguments arguments) => _view.Children(arguments);

    /// <summary><c>setVariable</c></summary>
    public SetVariableBody SetVariable(SetVariableArguments arguments)
    {
        var path = _view.PathOf(arguments.VariablesReference, arguments.Name);
        var outcome = _director.Run($"set {path} = {arguments.Value}")!;
        return outcome is { Done: true, Lines: [var line] }
            ? new SetVariableBody(line[(line.IndexOf('=') + 1)..].Trim())
            : throw new DebugAdapterException(outcome.Lines[0]);
    }

    /// <summary><c>evaluate</c></summary>
    public EvaluateBody Evaluate(EvaluateArguments arguments)
    {
        var verb = arguments.Expression.Split(' ', 2, StringSplitOptions.RemoveEmptyEntries).FirstOrDefault("");
        if (arguments.Context == "repl" && CommandCompletion.Verbs.Contains(verb))
            return new EvaluateBody(Typed(arguments.Expression), null, 0, null);
        var variable = _view.Evaluate(arguments.Expression);
        return new EvaluateBody(
            variable.Value, variable.Type, variable.VariablesReference, variable.IndexedVariables);
    }

    /// <summary><c>completions</c></summary>
    public CompletionsBody Completions(CompletionsArguments arguments)
    {
        var text = arguments.Text[..Math.Clamp(arguments.Column - 1, 0, arguments.Text.Length)];
        var start = text.LastIndexOf(' ') + 1;
        var (before, word) = (text[..start], text[start..]);
        var variables = before.Trim().Length > 0 ? []
            : _names.Where(name => !name.Contains(' ') && name.StartsWith(word, StringComparison.Ordinal));
        return new CompletionsBody(
        [
            .. _completion.After(before, word).Concat(variables)
                .Select(next => new CompletionItem(next, start + 1, word.Length)),
        ]);
    }

    /// <summary><c>continue</c></summary>
    public ContinueBody Continue()
    {
        GoOn(goal: null);
        return new ContinueBody(true);
    }

    /// <summary><c>next</c>: it goes on to the next woven point.</summary>
    public void Next()
    {
        StoppedPoint();
        StopAnywhere();
        GoOn("step");
    }

    /// <summary><c>pause</c>: it stops at the next woven point.</summary>
    public void Pause()
    {
        if (IsStopped) return;
        StopAnywhere();
        _goal = "pause";
    }

    private BreakpointsBody Set(string group, IEnumerable<WantedStop> wanted)
    {
        var set = _stops.Replace(group, [.. wanted]);
        // What was just set may have been to stop anywhere.
        if (_goal is not null) _stops.SetAll();
        return new BreakpointsBody([.. set.Select(stop => stop.Shown)]);
    }

    private void StopAnywhere()
    {
        if (!_stops.HasPoints)
            throw new DebugAdapterException(
                "no point is woven at which it could stop: start the service with --direct break");
        if (_stops.SetAll() is { } why) throw new DebugAdapterException(why);
    }

    private void GoOn(string? goal)
    {
        var wasStopped = IsStopped;
        Leave(goal);
        if (wasStopped && _director.Run("continue") is { Done: false } outcome)
            Say("important", $"continue: {outcome.Lines[0]}");
    }

    private void Leave(string? goal)
    {
        if (_goal is not null && goal is null) _stops.Restore();
        (_goal, _stoppedAt) = (goal, null);
        _view.Enter([]);
    }

    private void Stop(string point)
    {
        if (_goal is null && _stops.WasUnset(point))
        {
            _director.Run("continue");
            return;
        }
        var breakpoint = _stops.Of(point);
        _view.Enter(_target.Source.PlacesOf(point));
        if (_goal is null && breakpoint is not null)
        {
            var wanted = breakpoint.Wanted;
            var stops = wanted.Hits?.Holds(++breakpoint.Hits) != false;
            if (stops && wanted.Log is { } log) _logpoints.Print(breakpoint, log, Value);
            if (!stops || wanted.Log is not null)
            {
                _view.Enter([]);
                _director.Run("continue");
                return;
            }
        }
        var isWatch = point.StartsWith("watch ", StringComparison.Ordinal);
        var reason = _goal ?? (isWatch ? "data breakpoint" : "breakpoint");
        IReadOnlyList<int>? hit = _goal is null && breakpoint is not null ? [breakpoint.Id] : null;
        if (_goal is not null) _stops.Restore();
        (_goal, _stoppedAt) = (null, point);
        _events.Add(("stopped", new StoppedBody(reason, point, Thread, true, hit)));
    }

    private string Value(string name)
    {
        try
        {
            return _view.Evaluate(name).Value;
        }
        catch (DebugAdapterException exception)
        {
            return $"({exception.Message})";
        }
    }

    /// <summary>Does a command of the console.</summary>
    private string Typed(string line)
    {
        DirectionCommand? command;
        try
        {
            command = DirectionCommand.Parse(line);
        }
        catch (FormatException exception)
        {
            throw new DebugAdapterException(exception.Message);
        }
        if (command is DirectionCommand.Continue && IsStopped)
        {
            GoOn(goal: null);
            _events.Add(("continued", new ContinuedBody(Thread, true)));
            return "";
        }
        if (_director.Run(line) is not { } outcome) return "";
        if (!outcome.Done) throw new DebugAdapterException(string.Join("; ", outcome.Lines));
        if (_stops.Typed(line, command!) is { } changed)
            _events.Add(("breakpoint", new BreakpointBody("changed", changed.Shown)));
        return string.Join('\n', outcome.Lines);
    }

    private string StoppedPoint()
    {
        CheckTarget();
        return _stoppedAt
            ?? throw new DebugAdapterException("the service runs; pause stops it at the next woven point");
    }

    private void Print(OutputBody output) => _events.Add(("output", output));

    private void Say(string category, string text) => Print(new OutputBody(category, text + "\n"));

    private void End()
    {
        _isOver = true;
        Say("important", "the service does not answer any more: it has ended, or another director has begun a session");
        _events.Add(("terminated", null));
    }

    [GeneratedRegex(@"^(?<method>.+) (?<file>[^ :]+):(?<line>\d+)$")]
    private static partial Regex CallPlace();
}
