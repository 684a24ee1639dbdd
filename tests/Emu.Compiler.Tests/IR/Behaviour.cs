using Emu.Compiler.IR;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>All that can be seen of functions: what becomes of each event, and the state that is left.</summary>
internal static class Behaviour
{
    private const int FramesPerTick = 5;

    /// <summary>Runs a service's functions, event after event.</summary>
    /// <param name="process">The function for frames.</param>
    /// <param name="slow">
    /// The function that takes from its start what that one defers, as if it had not begun; null if there is none.
    /// </param>
    /// <param name="tick">The function for ticks; null if there is none.</param>
    /// <param name="state">The state that is looked at in the end.</param>
    /// <param name="frames">The frames.</param>
    public static List<string> Of(
        Function process, Function? slow, Function? tick, IEnumerable<StateElement> state,
        IReadOnlyList<IncomingFrame> frames)
    {
        var (interpreter, seen, events) = (new Interpreter(), new Seen(), new List<Event>());
        void Run(Event next)
        {
            var before = seen.Lines.Count;
            if (next.Run(interpreter, seen) && slow is not null)
            {
                // What was done before the exit is not done: the events before are run anew.
                interpreter = new Interpreter();
                foreach (var past in events) past.Run(interpreter, new Seen());
                seen.Lines.RemoveRange(before, seen.Lines.Count - before);
                next = next with { Function = slow };
                next.Run(interpreter, seen);
            }
            events.Add(next);
        }
        foreach (var (index, frame) in frames.Index())
        {
            if (tick is not null && index % FramesPerTick == 0)
                Run(new Event(tick, [], PortId.None.Index, frame.Time));
            Run(new Event(process, frame.Bytes, (byte)frame.Port, frame.Time));
        }
        foreach (var element in state)
        {
            seen.Lines.Add($"{element.Name} = " + (element is Memory memory
                ? string.Join(", ", Enumerable.Range(0, memory.Depth).Select(i => interpreter[memory, i]))
                : $"{interpreter[(Register)element]}"));
        }
        return seen.Lines;
    }

    /// <summary>The state that functions use, in the order of its first use.</summary>
    public static List<StateElement> StateOf(IEnumerable<Function> functions) =>
        [.. functions.SelectMany(f => f.Blocks()).SelectMany(b => b.Operations).SelectMany(o => o.State).Distinct()];

    /// <summary>An event, and the function that handles it.</summary>
    private sealed record Event(Function Function, byte[] Frame, byte Ingress, ulong Time)
    {
        /// <summary>Runs it; returns true if it is deferred.</summary>
        public bool Run(Interpreter interpreter, Seen seen)
        {
            var memory = new byte[Subject.Capacity];
            Frame.CopyTo(memory, 0);
            var result = interpreter.Run(Function, memory, Frame.Length, Ingress, Time, seen);
            seen.Lines.Add(result.Deferred is not null ? "deferred"
                : result.Fault is not null || result.Egress == PortSet.None ? $"{result.Fault} nothing leaves"
                : $"{result.Egress} {Convert.ToHexString(memory.AsSpan(result.Start, result.Length))}");
            return result.Deferred is not null;
        }
    }

    private sealed class Seen : IEventHost
    {
        public List<string> Lines { get; } = [];

        public void Send(ReadOnlySpan<byte> bytes, PortSet ports, ulong time) =>
            Lines.Add($"copy {ports} {Convert.ToHexString(bytes)}");

        public void WaitForFrame() => Lines.Add("waits");

        public bool TryHold(ReadOnlySpan<byte> bytes, PortId ingress, ulong time, int capacity)
        {
            Lines.Add($"holds {Convert.ToHexString(bytes)}");
            return true;
        }
    }
}
