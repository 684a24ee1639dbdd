using System.Text;
using Emu.Direction.Language;
using Emu.Direction.Packets;
using Emu.Direction.Probes;
using Emu.Direction.Weaving;

namespace Emu.Direction.Directing;

/// <summary>Carries out commands of the language by packets to a service.</summary>
/// <param name="session">The session.</param>
/// <param name="link">The way to the service.</param>
public sealed class Director(DirectorSession session, IDirectionLink link)
{
    /// <summary>The variables, and parts of each name, that <c>list</c> asks for where it sees no answers.</summary>
    private const int DeferredVariables = 64, DeferredParts = 3;

    private readonly ProbeDirector _probes = new(session, link);
    private readonly Dictionary<uint, string> _stops = [];

    /// <summary>Begins the session.</summary>
    /// <param name="time">The director's time, in nanoseconds.</param>
    /// <returns>Null if it has begun; else a line that says why not.</returns>
    public string? Begin(ulong time)
    {
        var reply = link.Exchange(session, session.Begin(time));
        if (reply is { Status: DirectionStatus.Done }) session.Open(reply.Number);
        return reply switch
        {
            { Status: DirectionStatus.Done } => null,
            { Status: DirectionStatus.OldSession } =>
                "the service has begun a session that is later by the director's clock; is the clock right?",
            { Status: var status } => $"the service refuses a session: {status}",
            null => "no answer: there is no such service there, or it has another key",
        };
    }

    /// <summary>Carries out a line.</summary>
    /// <returns>The outcome; null for a line without a command.</returns>
    public CommandOutcome? Run(string line)
    {
        try
        {
            return DirectionCommand.Parse(line) switch
            {
                DirectionCommand.Print print => Print(line, print.Variable),
                DirectionCommand.Set set => Set(line, set),
                DirectionCommand.Count count => _probes.Start(
                    line, CountOf(count.Kind, count.Start.Name), count.Start, uint.MaxValue),
                DirectionCommand.CountControl count => Control(line, count),
                DirectionCommand.Trace trace => _probes.Start(
                    line, TraceOf(trace.Start.Name), trace.Start, TraceProbe.Depth),
                DirectionCommand.TraceControl trace => Control(line, trace),
                DirectionCommand.Break stop => Stop(line, BreakOf(stop.Start.Name), stop.Start),
                DirectionCommand.Unbreak stop => _probes.Stop(line, BreakOf(stop.Name)),
                DirectionCommand.Watch stop => Stop(line, WatchOf(stop.Start.Name), stop.Start),
                DirectionCommand.Unwatch stop => _probes.Stop(line, WatchOf(stop.Name)),
                DirectionCommand.Continue => Continue(line),
                DirectionCommand.Backtrace backtrace => Backtrace(line, backtrace.Most),
                DirectionCommand.List => List(line),
                DirectionCommand.Status => Status(line),
                _ => null,
            };
        }
        catch (FormatException exception)
        {
            return Failed(line, exception.Message);
        }
    }

    private static CommandOutcome Failed(string line, string why) => new(line, false, [why]);

    private static string CountOf(EventKind kind, string name) => $"count {ProbedEvent.TextOf(kind, name)}";

    private static string TraceOf(string name) => $"trace {name}";

    private static string BreakOf(string name) => $"break {name}";

    private static string WatchOf(string name) => $"watch {name}";

    private CommandOutcome Stop(string line, string probe, ProbeStart start)
    {
        _stops[DirectedVariable.HashOf(probe)] = probe;
        return _probes.Start(line, probe, start, 0);
    }

    private CommandOutcome Continue(string line) => link.Exchange(session, session.Continue()) switch
    {
        { Status: DirectionStatus.Done } => new CommandOutcome(line, true, []),
        { Status: DirectionStatus.NotStopped } => Failed(line, "the service is not stopped"),
        { Status: var status } => Failed(line, $"the service refuses: {status}"),
        null => Failed(line, "no answer: it is not known whether the service goes on"),
    };

    private CommandOutcome Control(string line, DirectionCommand.CountControl count) =>
        _probes.Control(
            line, CountOf(count.Kind, count.Name), count.Action,
            (events, most) =>
            [
                $"{count.Name}: {Math.Min(events, most)} {count.Kind.ToString().ToLowerInvariant()}"
                + (events < most ? "" : ", no more"),
            ]);

    private CommandOutcome Control(string line, DirectionCommand.TraceControl trace) =>
        _probes.Control(
            line, TraceOf(trace.Name), trace.Action,
            (kept, missed) =>
            [
                .. trace.Action == ProbeAction.Print ? _probes.Values(trace.Name, kept) : [],
                $"{trace.Name}: {kept} kept, {missed} missed",
            ]);

    /// <summary>Reads a variable.</summary>
    public VariableReading Read(VariablePath variable)
    {
        ArgumentNullException.ThrowIfNull(variable);
        var reply = link.Exchange(session, session.Read(DirectedVariable.HashOf(variable.Name), variable.Index));
        return reply is { Status: DirectionStatus.Done }
            ? new VariableReading(DirectionValue.Show(reply.Value, reply.Shown, reply.Width), null)
            : new VariableReading(null, WhyNot(variable, reply));
    }

    /// <summary>Reads a trace.</summary>
    /// <param name="name">The variable that is traced.</param>
    /// <param name="first">The first value wanted, from 0.</param>
    /// <returns>The values and the counts; null if there is no such trace, or no answer.</returns>
    public TraceReading? ReadTrace(string name, uint first) => _probes.ReadTrace(TraceOf(name), name, first);

    /// <summary>Asks for the state of the service.</summary>
    /// <returns>The state; null if there is no answer.</returns>
    public ServiceStatus? ReadStatus()
    {
        if (link.Exchange(session, session.Status()) is not { Status: DirectionStatus.Done } reply) return null;
        var stop = reply.IsStopped ? NameOfStop(reply.Name) : null;
        return new ServiceStatus(
            reply.Elements, (ulong)(reply.Value >> 64), (ulong)reply.Value, reply.Index, stop);
    }

    private CommandOutcome Print(string line, VariablePath variable)
    {
        var reading = Read(variable);
        return reading.Text is { } text
            ? new CommandOutcome(line, true, [$"{variable.Text} = {text}"])
            : Failed(line, reading.WhyNot!);
    }

    private CommandOutcome Set(string line, DirectionCommand.Set set)
    {
        var (variable, value) = (set.Variable, set.Value);
        var name = DirectedVariable.HashOf(variable.Name);
        if (value.Number.Sign < 0 && link.IsDeferred)
            return Failed(line, "a number below 0 needs the variable's width, which is not known before the answers");
        var width = DirectionPacket.ValueWidth;
        if (value.Number.Sign < 0)
        {
            var known = link.Exchange(session, session.Read(name, variable.Index));
            if (known is not { Status: DirectionStatus.Done }) return Failed(line, WhyNot(variable, known));
            width = known.Width;
        }
        if (value.BitsIn(width) is not { } bits)
            return Failed(line, $"{variable.Text} has no room for it: {width} bits");
        var reply = link.Exchange(session, session.Write(name, variable.Index, bits));
        return reply is { Status: DirectionStatus.Done }
            ? new CommandOutcome(line, true, [Shown(variable, reply)])
            : Failed(line, WhyNot(variable, reply));
    }

    private static string Shown(VariablePath variable, DirectionReply reply) =>
        $"{variable.Text} = {DirectionValue.Show(reply.Value, reply.Shown, reply.Width)}";

    private static string WhyNot(VariablePath variable, DirectionReply? reply) => reply?.Status switch
    {
        null => $"no answer: it is not known whether the service has seen the request for {variable.Text}",
        DirectionStatus.UnknownName => $"there is no variable {variable.Name}; list shows them",
        DirectionStatus.IndexOutOfRange => $"{variable.Name} has {reply.Elements} elements",
        DirectionStatus.NotWritable => $"{variable.Text} cannot be set: it is constant, or set is not woven for it",
        DirectionStatus.TooWide => $"{variable.Text} has no room for it: {reply.Width} bits",
        var status => $"the service refuses: {status}",
    };

    /// <summary>
    /// The names of what can be directed: variables, with <c>[]</c> for an index, and probes with their commands.
    /// </summary>
    public IReadOnlyList<string> Names() => [.. Variables().Select(variable => variable.Name)];

    private CommandOutcome List(string line)
    {
        var lines = Variables().Select(Shown).ToList();
        return lines.Count > 0
            ? new CommandOutcome(line, true, lines)
            : Failed(line, "no answer: it is not known which variables there are");
    }

    /// <summary>The variables, and the probes under the names of their commands.</summary>
    public IReadOnlyList<DirectedVariable> Variables() =>
    [
        .. All().Where(v => v.Kind != VariableKind.Place && v.Name != CallChains.VariableName
            && !v.Name.StartsWith(TraceProbe.ValuesPrefix, StringComparison.Ordinal)),
    ];

    /// <summary>Whatever has a name: variables, probes, what traces keep, and places.</summary>
    private List<DirectedVariable> All()
    {
        var variables = new List<DirectedVariable>();
        for (var number = 0u; !link.IsDeferred || number < DeferredVariables; number++)
        {
            if (Describe(number) is { } known) variables.Add(known);
            else if (!link.IsDeferred) break;
        }
        return variables;
    }

    /// <summary>
    /// The numbers of the places that led to the stop, innermost first; none where that is not known.
    /// </summary>
    public IReadOnlyList<int> Calls() =>
        ReadCalls() is { Status: DirectionStatus.Done, IsStopped: true } reply ? CallsOf(reply) : [];

    /// <summary>
    /// The places that <see cref="Calls"/> numbers, as the service names them: <c>Learn Switch.cs:61</c>.
    /// </summary>
    public IReadOnlyDictionary<int, string> Places() => All().Where(known => known.Kind == VariableKind.Place)
        .Select(known => NamedPlace.Parse(known.Name)).ToDictionary(known => known.Number, known => known.Place);

    private DirectionReply? ReadCalls() =>
        link.Exchange(session, session.Read(DirectedVariable.HashOf(CallChains.VariableName), 0));

    private static List<int> CallsOf(DirectionReply reply) =>
        [.. BitConverter.GetBytes((ulong)reply.Value).TakeWhile(number => number != 0).Select(number => (int)number)];

    /// <summary>The calls that led to the stop, innermost first.</summary>
    private CommandOutcome Backtrace(string line, int most)
    {
        var reply = ReadCalls();
        var places = Places();
        if (reply is null) return Failed(line, "no answer: it is not known where the service is");
        if (reply.Status != DirectionStatus.Done) return Failed(line, "neither break nor watch is woven");
        if (!reply.IsStopped) return Failed(line, "the service is not stopped");
        var chain = CallsOf(reply).Take(most);
        return new CommandOutcome(
            line, true, [.. chain.Select((number, depth) => $"#{depth} {places.GetValueOrDefault(number, "?")}")]);
    }

    private static string Shown(DirectedVariable variable)
    {
        if (variable.Kind == VariableKind.Probe) return variable.Name;
        var text = variable.Name.Replace("[]", $"[0..{(long)variable.Elements - 1}]", StringComparison.Ordinal);
        return $"{text}: {variable.Kind}, {variable.Width} bits{(variable.IsWritable ? "" : ", not to be set")}";
    }

    private DirectedVariable? Describe(uint variable)
    {
        var name = new StringBuilder();
        DirectionReply? last = null;
        for (var part = 0u; !link.IsDeferred || part < DeferredParts; part++)
        {
            var reply = link.Exchange(session, session.Describe(variable, part));
            if (reply is { Status: DirectionStatus.Done } && reply.Value != 0)
            {
                name.Append(DirectedVariable.TextOf(reply.Value));
                last = reply;
            }
            else if (!link.IsDeferred) break;
        }
        return last is null
            ? null
            : new DirectedVariable(name.ToString(), last.Width, last.Shown, (int)last.Elements, last.IsWritable);
    }

    /// <summary>
    /// The command that stopped the service; one of another session is asked for, where answers come.
    /// </summary>
    private string NameOfStop(uint hash)
    {
        if (_stops.TryGetValue(hash, out var known)) return known;
        var names = link.IsDeferred ? [] : Names();
        return _stops[hash] = names.FirstOrDefault(
            name => DirectedVariable.HashOf(name) == hash, "the stop of another session");
    }

    private CommandOutcome Status(string line) => ReadStatus() is { } status
        ? new CommandOutcome(
            line, true,
            [
                $"{status.Variables} variables; {status.Done} requests done, "
                + $"{status.Unauthenticated} packets not authentic",
                .. status.Lost > 0 ? [$"{status.Lost} frames lost while it was stopped"] : Array.Empty<string>(),
                .. status.StoppedAt is { } point ? [$"stopped at {point}"] : Array.Empty<string>(),
            ])
        : Failed(line, "no answer");
}
