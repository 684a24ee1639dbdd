using System.Linq.Expressions;
using System.Reflection;

namespace Emu.Clocked;

/// <summary>
/// Runs a program on .NET, cycle by cycle: its own CIL, on the calling thread. At each edge it shows the outputs and
/// takes the inputs of the next cycle.
/// </summary>
/// <remarks>After the elaboration, that is at edge 0, and after each edge, a delegate is called.</remarks>
public sealed class ClockedRun : CycleClock
{
    private readonly ClockedProgram _program;
    private readonly Dictionary<string, Action<ulong>> _inputs = [];
    private readonly Dictionary<string, Func<ulong>> _outputs = [];
    private Func<ClockedRun, bool> _atEdge = _ => false;
    private bool _isElaborated;

    /// <summary>For a program; its static fields are those that the run changes.</summary>
    public ClockedRun(ClockedProgram program)
    {
        ArgumentNullException.ThrowIfNull(program);
        _program = program;
        foreach (var port in program.Ports)
        {
            if (port.IsInput) _inputs[port.Name] = Setter(port.Field);
            else _outputs[port.Name] = Getter(port.Field, port.Width);
        }
    }

    /// <summary>The exception that ended the program; null where none did. What was written before it stands.</summary>
    public Exception? Fault { get; private set; }

    /// <summary>Sets an input from the next cycle on.</summary>
    /// <param name="port">The port's name.</param>
    /// <param name="bits">The number; bits above the port's width must be 0.</param>
    public void Set(string port, ulong bits) => _inputs[port](bits);

    /// <summary>The number that an output shows now.</summary>
    public ulong Get(string port) => _outputs[port]();

    /// <summary>Runs the program.</summary>
    /// <param name="atEdge">
    /// Called after the elaboration and after each edge; gives false to end the run. When the program has ended, its
    /// registers hold what they held, and edges go on.
    /// </param>
    public void Run(Func<ClockedRun, bool> atEdge)
    {
        ArgumentNullException.ThrowIfNull(atEdge);
        _atEdge = atEdge;
        var outer = Current;
        Current = this;
        try
        {
            Begin(_program.Entry);
        }
        catch (EndOfRunException)
        {
        }
        finally
        {
            Current = outer;
        }
    }

    /// <inheritdoc/>
    public override void Pause()
    {
        if (_isElaborated) Cycle++;
        _isElaborated = true;
        if (!_atEdge(this)) throw new EndOfRunException();
    }

    private void Begin(MethodInfo entry)
    {
        try
        {
            if (entry.GetParameters().Length == 0) entry.CreateDelegate<Action>()();
            else entry.CreateDelegate<Action<string[]>>()([]);
        }
        catch (Exception exception) when (exception is not EndOfRunException)
        {
            Fault = exception;
        }
        while (true) Pause();
    }

    private static Action<ulong> Setter(FieldInfo field)
    {
        var bits = Expression.Parameter(typeof(ulong));
        Expression value = field.FieldType == typeof(bool)
            ? Expression.NotEqual(bits, Expression.Constant(0UL))
            : Expression.Convert(bits, field.FieldType);
        return Expression.Lambda<Action<ulong>>(Expression.Assign(Expression.Field(null, field), value), bits)
            .Compile();
    }

    private static Func<ulong> Getter(FieldInfo field, int width)
    {
        Expression value = Expression.Field(null, field);
        value = field.FieldType == typeof(bool)
            ? Expression.Condition(value, Expression.Constant(1UL), Expression.Constant(0UL))
            : Expression.Convert(value, typeof(ulong));
        if (width < 64) value = Expression.And(value, Expression.Constant((1UL << width) - 1));
        return Expression.Lambda<Func<ulong>>(value).Compile();
    }

    /// <summary>Ends the program where it pauses.</summary>
    private sealed class EndOfRunException : Exception;
}
