using Emu.Clocked;
using Emu.Compiler.IR;
using KiwiSystem;

namespace Emu.Compiler.Frontend;

/// <summary>
/// The part of the clock level in the translation of a thread: pauses, static fields as registers, objects and threads
/// that the elaboration makes.
/// </summary>
/// <param name="number">The number of the thread, from 1 on: of several that ask, the lowest gets.</param>
/// <param name="shared">What it shares with the other threads.</param>
/// <param name="mode">The kind of pauses with which it begins.</param>
internal sealed class ThreadContext(int number, SharedContext shared, Kiwi.PauseControl mode)
{
    /// <summary>The mode that the thread has set: how its code is taken.</summary>
    public Register PauseMode { get; } = new($"pause_mode_{number}", 32, (UInt128)(int)mode);

    /// <summary>The mode that the last pause sets up to the next one: written there, and never read.</summary>
    public Register PauseFlag { get; } = new($"pause_flag_{number}", 32, 0);

    /// <summary>The number of the thread, from 1 on.</summary>
    public int Number => number;

    /// <summary>The parts that all threads share.</summary>
    public SharedContext Shared => shared;

    /// <summary>The threads that this one starts, in order, each with the register that is 1 once it has.</summary>
    public List<StartedThread> Started { get; } = [];

    /// <summary>The state with which the thread begins; null for one that begins later.</summary>
    public KnownState? Known { get; init; }

    /// <summary>True once a pause has been translated: objects are made before.</summary>
    public bool HasPaused { get; set; }
}

/// <summary>A thread that another one starts.</summary>
/// <param name="Body">The method that it runs.</param>
/// <param name="HasStarted">Is 1 once it is started.</param>
/// <param name="IsLate">True if that may be behind the elaboration.</param>
internal sealed record StartedThread(DelegateValue Body, Register HasStarted, bool IsLate);

/// <summary>The parts of a program that all its threads share, and that no field of C# stands for.</summary>
/// <param name="pauses">The pauses that are added in code that is soft.</param>
/// <param name="objects">The objects that variables may refer to.</param>
internal sealed class SharedContext(IReadOnlyList<ScheduledPause> pauses, PointsToSets objects)
{
    private readonly Dictionary<Arbiter, SortedDictionary<int, ArbiterPort>> _arbiters =
        new(ReferenceEqualityComparer.Instance);

    /// <summary>The objects that variables may refer to.</summary>
    public PointsToSets Objects => objects;

    /// <summary>The method of each thread that the program makes.</summary>
    public Dictionary<Thread, DelegateValue> Threads { get; } = new(ReferenceEqualityComparer.Instance);

    /// <summary>The instructions that operations come from.</summary>
    public InstructionPlaces Places { get; } = new(pauses);

    /// <summary>The time, which counts edges; null where nobody looks.</summary>
    public Register? Time { get; private set; }

    /// <summary>Registers that only one thread writes in a cycle, since an arbiter decides which.</summary>
    public HashSet<Register> Arbitrated { get; } = new(ReferenceEqualityComparer.Instance);

    /// <summary>The arbiters, each with its ports by the number of the thread.</summary>
    public IEnumerable<IReadOnlyDictionary<int, ArbiterPort>> Arbiters => _arbiters.Values;

    /// <summary>The time.</summary>
    public Register TimeOf() => Time ??= new Register("time", 64, 0);

    /// <summary>The port of a thread at an arbiter.</summary>
    public ArbiterPort PortOf(Arbiter arbiter, int thread)
    {
        if (!_arbiters.TryGetValue(arbiter, out var ports)) _arbiters[arbiter] = ports = [];
        return ports.TryGetValue(thread, out var port)
            ? port
            : ports[thread] = new ArbiterPort(
                new Register($"grant_{_arbiters.Count}_{thread}", 1, 1),
                new Register($"taken_{_arbiters.Count}_{thread}", 1, 0));
    }
}

/// <summary>A thread's side of an arbiter: no flops, but wires of a cycle.</summary>
/// <param name="Grant">Is 1 in a cycle in which no thread before this one takes it.</param>
/// <param name="Taken">Is written 1 in a cycle in which this thread takes it.</param>
internal sealed record ArbiterPort(Register Grant, Register Taken);
