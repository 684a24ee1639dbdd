using System.Reflection;
using System.Runtime.ExceptionServices;
using System.Text;
using KiwiSystem;

namespace Emu.Clocked;

/// <summary>
/// Runs a program on .NET, cycle by cycle: its own CIL. At each edge it shows the outputs and takes the inputs of the
/// next cycle.
/// </summary>
/// <remarks>
/// <para>After the elaboration, that is at edge 0, and after each edge, a delegate is called.</para>
/// <para>A program with one thread runs on the calling thread as it is. Of one with several, each runs up to its pause
/// in turn, and the program is woven: see <see cref="ThreadWeaver"/>. Those that it starts are coroutines of the
/// calling thread, or threads of the operating system: see <see cref="CoroutineWeaver"/>.</para>
/// </remarks>
public sealed class ClockedRun : CycleClock
{
    private readonly ClockedProgram _program;
    private readonly Dictionary<string, Action<ulong>> _inputs = [];
    private readonly Dictionary<string, Func<ulong>> _outputs = [];
    private readonly List<ProgramThread> _threads = [];
    private readonly ElementWrites _elements = new();
    private readonly StringBuilder _text = new();
    private readonly Dictionary<int, Kiwi.PauseControl> _modes = [];

    [ThreadStatic]
    private static SystemThread? s_own;

    private Func<ClockedRun, bool> _atEdge = _ => false;
    private bool _isElaborated, _isOver;

    /// <summary>For a program, which is loaded anew: the run changes its static fields.</summary>
    /// <param name="program">
    /// The program; one with code that is soft as its circuit has it, with the pauses that were added.
    /// </param>
    public ClockedRun(ClockedProgram program) : this(program, allowsCoroutines: true)
    {
    }

    /// <summary>
    /// For a program, with threads of the operating system for those that it starts, if that is asked for.
    /// </summary>
    internal ClockedRun(ClockedProgram program, bool allowsCoroutines)
    {
        ArgumentNullException.ThrowIfNull(program);
        _program = program.ToRun(allowsCoroutines);
        if (_program.PauseMode != Kiwi.PauseControl.hardPauseEnable) RequireSchedule();
        foreach (var port in _program.Ports)
        {
            if (port.IsInput) _inputs[port.Name] = PortAccess.Setter(port.Field);
            else _outputs[port.Name] = PortAccess.Getter(port.Field, port.Width);
        }
        foreach (var parameter in _program.Parameters)
            _inputs[parameter.Name] = PortAccess.Setter(parameter.Field);
    }

    /// <summary>
    /// The exception that ended the entry point; null where none did. What was written before it stands.
    /// </summary>
    public Exception? Fault { get; private set; }

    /// <summary>
    /// The text that the program has printed since the last edge; at edge 0, in its elaboration.
    /// </summary>
    public string Printed { get; private set; } = "";

    /// <summary>Sets an input from the next cycle on, or before the run a parameter.</summary>
    /// <param name="port">The port's name, or the parameter's.</param>
    /// <param name="bits">The number; bits above the port's width must be 0.</param>
    public void Set(string port, ulong bits) => _inputs[port](bits);

    /// <summary>The number that an output shows now.</summary>
    public ulong Get(string port) => _outputs[port]();

    /// <summary>Runs the program, once.</summary>
    /// <param name="atEdge">
    /// Called after the elaboration and after each edge; gives false to end the run. When the program has ended, its
    /// registers hold what they held, and edges go on.
    /// </param>
    /// <exception cref="ClockedException">Two threads write one variable in one cycle.</exception>
    public void Run(Func<ClockedRun, bool> atEdge)
    {
        ArgumentNullException.ThrowIfNull(atEdge);
        _atEdge = atEdge;
        var outer = Current;
        (Current, Elements.Writes, Number) = (this, _elements, 1);
        try
        {
            Begin(_program.Entry);
        }
        catch (Exception exception) when (_isOver || exception is EndOfRunException)
        {
            // What its finally blocks throw on the way out, as that of a lock which waits for a pulse, is no fault.
        }
        finally
        {
            foreach (var thread in _threads) thread.Dispose();
            (Current, Elements.Writes, Thread, Number) = (outer, null, 0, 0);
        }
    }

    /// <inheritdoc/>
    public override void Pause()
    {
        if (Coroutine.IsRunning)
        {
            Coroutine.Pause();
            return;
        }
        if (s_own is { } own)
        {
            own.Pause();
            Thread = _threads.IndexOf(own) + 2;
            return;
        }
        if (_isOver) throw new EndOfRunException();
        // A thread that is started by another is elaborated behind it.
        for (var i = 0; i < _threads.Count; i++) Step(i);
        Thread = 0;
        Commit();
        if (_isElaborated) Cycle++;
        _isElaborated = true;
        Printed = _text.ToString();
        _text.Clear();
        _isOver = !_atEdge(this);
        if (_isOver) throw new EndOfRunException();
        Thread = 1;
    }

    /// <inheritdoc/>
    public override ulong Time => _isElaborated ? 10 * (ulong)(Cycle + 1) : 0;

    /// <inheritdoc/>
    public override void Print(string text) => _text.Append(text);

    /// <inheritdoc/>
    public override void Start(Action body) => Start(body, isLate: _isElaborated);

    /// <inheritdoc/>
    public override Kiwi.PauseControl SetPauses(Kiwi.PauseControl mode)
    {
        if (mode != Kiwi.PauseControl.hardPauseEnable) RequireSchedule();
        var before = _modes.GetValueOrDefault(Number, _program.PauseMode);
        _modes[Number] = mode;
        return before;
    }

    /// <inheritdoc/>
    public override void RequireSchedule()
    {
        if (_program.Schedule is null)
            throw new ClockedException(
                ClockedException.Member,
                "the program has code that is soft, which pauses where the compiler says; "
                + "run the Program of its ClockedCircuit");
    }

    /// <summary>A thread that is started in a cycle begins in the next one.</summary>
    private void Start(Action body, bool isLate) =>
        _threads.Add(_program.HasCoroutines ? new CoroutineThread(body, isLate) : OfSystem(body, isLate));

    private SystemThread OfSystem(Action body, bool isLate) => new(thread =>
    {
        (s_own, Current, Elements.Writes) = (thread, this, _elements);
        Number = _threads.IndexOf(thread) + 2;
        try
        {
            if (isLate) Pause();
            body();
        }
        catch (Exception exception)
        {
            thread.Fault = exception;
        }
    });

    private void Step(int index)
    {
        var thread = _threads[index];
        if (thread is CoroutineThread { IsElaborated: var isElaborated })
            (Number, Thread) = (index + 2, isElaborated ? index + 2 : 0);
        thread.Step();
        Number = 1;
        if (thread.Fault is { } fault && !IsOfProgram(fault)) ExceptionDispatchInfo.Throw(fault);
    }

    /// <summary>True for an exception that ends a thread, false for one that ends the run.</summary>
    private static bool IsOfProgram(Exception exception) => exception is not (EndOfRunException or ClockedException
        or InvalidProgramException or TypeLoadException or MissingMemberException);

    private void Begin(MethodInfo entry)
    {
        var isPlain = entry.GetParameters().Length == 0;
        try
        {
            if (entry.ReturnType == typeof(void))
            {
                if (isPlain) entry.CreateDelegate<Action>()();
                else entry.CreateDelegate<Action<string[]>>()([]);
            }
            else
            {
                _ = isPlain ? entry.CreateDelegate<Func<int>>()() : entry.CreateDelegate<Func<string[], int>>()([]);
            }
        }
        catch (Exception exception) when (!_isOver && IsOfProgram(exception))
        {
            Fault = exception;
        }
        while (true) Pause();
    }
}
