using System.Text;
using Emu.Clocked;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Elaboration;
using Emu.Compiler.Frontend;
using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rtl;
using KiwiSystem;

namespace Emu.Compiler.Clocked;

/// <summary>
/// The code of a program before the first pause of each thread, run: what reset leaves, and the threads that there are.
/// </summary>
internal sealed class ClockedElaboration
{
    private const long MostBlocks = 50_000_000;
    private const int MostTranslations = 64;

    private readonly StateMap _state = new();
    private readonly Interpreter _interpreter = new(MostBlocks);
    private readonly List<ThreadStates> _threads = [];
    private readonly HashSet<string> _names = [];
    private readonly StringBuilder _text = new();
    private readonly Kiwi.PauseControl _mode;

    private ClockedElaboration(ClockedProgram program, PointsToSets objects)
    {
        objects.Begin();
        (_mode, Shared) = (program.PauseMode, new SharedContext(program.Schedule ?? [], objects));
        Inputs = program.Ports.Where(port => port.IsInput).ToDictionary(RegisterOf);
        Outputs = program.Ports.Where(port => !port.IsInput).ToDictionary(RegisterOf);
        Parameters = program.Parameters.ToDictionary(RegisterOf);
        _interpreter.Printed = text => _text.Append(text);
        // A thread is elaborated behind the one that starts it.
        var waiting = new Queue<(DelegateValue Body, Register? Start)>();
        waiting.Enqueue((new DelegateValue(program.Entry, null), null));
        var late = new Queue<(DelegateValue Body, Register? Start)>();
        while (waiting.TryDequeue(out var next) || late.TryDequeue(out next))
        {
            foreach (var started in Run(next.Body, next.Start))
            {
                if (objects.HasGrown || _interpreter[started.HasStarted] != 0) waiting.Enqueue((started.Body, null));
                else if (started.IsLate) late.Enqueue((started.Body, started.HasStarted));
            }
        }
        State = new ElaboratedState(_interpreter);
    }

    /// <summary>The parts that no field of C# stands for.</summary>
    public SharedContext Shared { get; }

    /// <summary>Registers and memories as the elaboration has left them.</summary>
    public ElaboratedState State { get; }

    /// <summary>The text that it prints.</summary>
    public string Text => _text.ToString();

    /// <summary>The registers that are inputs, before the elaboration.</summary>
    public IReadOnlyDictionary<Register, ClockedPort> Inputs { get; }

    /// <summary>The registers that are outputs, before the elaboration.</summary>
    public IReadOnlyDictionary<Register, ClockedPort> Outputs { get; }

    /// <summary>The registers that are parameters, before the elaboration.</summary>
    public IReadOnlyDictionary<Register, ClockedPort> Parameters { get; }

    /// <summary>The registers and memories that the elaboration reads or writes.</summary>
    public HashSet<StateElement> Used { get; } = new(ReferenceEqualityComparer.Instance);

    /// <summary>The threads: the entry point, then those that were started, in that order.</summary>
    public IReadOnlyList<ThreadStates> Threads => _threads;

    /// <summary>The state in which a thread is after the elaboration.</summary>
    public int FirstState(ThreadStates thread) => (int)_interpreter[thread.State];

    /// <summary>Elaborates a program.</summary>
    /// <exception cref="CompileException">It uses what does not compile, or its elaboration does not end.</exception>
    public static ClockedElaboration Of(ClockedProgram program)
    {
        var objects = new PointsToSets();
        for (var turn = 0; turn < MostTranslations; turn++)
        {
            try
            {
                var elaboration = new ClockedElaboration(program, objects);
                if (!objects.HasGrown) return elaboration.Checked();
            }
            catch (CompileException) when (objects.HasGrown)
            {
                // What is refused may be that a set of objects was too small.
            }
        }
        throw new CompileException(
            DiagnosticNumber.UnknownObject,
            $"the objects that variables refer to are not known after {MostTranslations} translations; have fewer of "
            + "them, in arrays",
            null);
    }

    private ClockedElaboration Checked() => _threads.Count > 1 && Shared.Objects.Unshared is { } location
        ? throw new CompileException(
            DiagnosticNumber.KeptObject,
            "an element of an array, or a field of a struct, is given another object while several threads run, which "
            + ".NET would show before the edge; keep it in a field, or keep an index",
            location)
        : this;

    /// <summary>Elaborates a thread; gives those that it starts.</summary>
    private List<StartedThread> Run(DelegateValue body, Register? start)
    {
        var context = new ThreadContext(_threads.Count + 1, Shared, _mode)
        {
            Known = new KnownState(register => _interpreter[register], (memory, i) => _interpreter[memory, i]),
        };
        var function = Translator.TranslateThread(body, _state, context, start);
        if (Shared.Objects.HasGrown) return context.Started;
        SoftRegions.Run(function, context);
        Verifier.Verify(function, "the front end");
        Simplification.Run(function);
        var thread = new ThreadStates(NameOf(body), function);
        _threads.Add(thread);
        var elaboration = thread.Elaboration();
        Used.UnionWith(context.Known.Used);
        Used.UnionWith(elaboration.Blocks().SelectMany(block => block.Operations).SelectMany(used => used.State));
        Run(elaboration, body);
        return context.Started;
    }

    private void Run(Function elaboration, DelegateValue body)
    {
        try
        {
            _interpreter.Run(elaboration, [], 0, 0, 0, new NoHost());
        }
        catch (InvalidOperationException)
        {
            throw new CompileException(
                DiagnosticNumber.PauseFreeLoop,
                $"{body.Method.DeclaringType!.Name}.{body.Method.Name} does not come to its first pause within "
                + $"{MostBlocks} steps; put Kiwi.Pause() into the loop that does not end",
                elaboration.Blocks().SelectMany(b => b.Operations).FirstOrDefault(o => o.Location is not null)
                    ?.Location);
        }
    }

    private Register RegisterOf(ClockedPort port)
    {
        _state.Name(port.Field.DeclaringType!, "");
        return _state.Register(port.Field.DeclaringType!, port.Field, []);
    }

    private string NameOf(DelegateValue body)
    {
        var name = Netlist.SnakeCase(body.Method.Name.Split("g__")[^1].Split('|')[0]);
        for (var number = 2; !_names.Add(name); number++)
            name = $"{Netlist.SnakeCase(body.Method.Name.Split("g__")[^1].Split('|')[0])}_{number}";
        return name;
    }

    /// <summary>A circuit of the clock level sends no frames.</summary>
    private sealed class NoHost : IEventHost
    {
        public void Send(ReadOnlySpan<byte> bytes, PortSet ports, ulong time) => throw new NotSupportedException();

        public void WaitForFrame() => throw new NotSupportedException();

        public bool TryHold(ReadOnlySpan<byte> bytes, PortId ingress, ulong time, int capacity) =>
            throw new NotSupportedException();
    }
}
