using Emu.Compiler.IR;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>All that can be seen of functions: what becomes of each event, and the state that is left.</summary>
internal static class Behaviour
{
    private const int FramesPerTick = 5;
    private const string Deferred = "deferred";

    /// <summary>Runs a service's functions, event after event.</summary>
    /// <param name="functions">The function for frames, then the one for ticks if there is one.</param>
    /// <param name="state">The state that is looked at in the end.</param>
    /// <param name="frames">The frames.</param>
    public static List<string> Of(
        IReadOnlyList<Function> functions, IEnumerable<StateElement> state, IReadOnlyList<IncomingFrame> frames) =>
        Of(functions[0], null, functions.ElementAtOrDefault(1), state, frames);

    /// <summary>Runs the two parts of what a service does with a frame: the second takes what the first defers.</summary>
    public static List<string> OfParts(
        Function fast, Function slow, IEnumerable<StateElement> state, IReadOnlyList<IncomingFrame> frames) =>
        Of(fast, slow, null, state, frames);

    private static List<string> Of(
        Function process, Function? slow, Function? tick, IEnumerable<StateElement> state,
        IReadOnlyList<IncomingFrame> frames)
    {
        var (interpreter, seen) = (new Interpreter(), new Seen());
        foreach (var (index, frame) in frames.Index())
        {
            string Run(Function function, byte[] bytes, int ingress) =>
                Event(interpreter, function, bytes, (byte)ingress, frame.Time, seen);
            if (tick is not null && index % FramesPerTick == 0) seen.Add(Run(tick, [], PortId.None.Index));
            var result = Run(process, frame.Bytes, frame.Port);
            seen.Add(result == Deferred && slow is not null ? Run(slow, frame.Bytes, frame.Port) : result);
        }
        foreach (var element in state)
        {
            seen.Add($"{element.Name} = " + (element is Memory memory
                ? string.Join(", ", Enumerable.Range(0, memory.Depth).Select(i => interpreter[memory, i]))
                : $"{interpreter[(Register)element]}"));
        }
        return seen.Lines;
    }

    /// <summary>The state that functions use, in the order of its first use.</summary>
    public static List<StateElement> StateOf(IEnumerable<Function> functions) =>
        [.. functions.SelectMany(f => f.Blocks()).SelectMany(b => b.Operations).SelectMany(o => o.State).Distinct()];

    private static string Event(
        Interpreter interpreter, Function function, byte[] frame, byte ingress, ulong time, Seen seen)
    {
        var memory = new byte[Subject.Capacity];
        frame.CopyTo(memory, 0);
        var result = interpreter.Run(function, memory, frame.Length, ingress, time, seen);
        if (result.Deferred is not null) return Deferred;
        if (result.Fault is not null || result.Egress == PortSet.None) return $"{result.Fault} nothing leaves";
        return $"{result.Egress} {Convert.ToHexString(memory.AsSpan(result.Start, result.Length))}";
    }

    private sealed class Seen : IFrameOutput
    {
        public List<string> Lines { get; } = [];

        public void Add(string line) => Lines.Add(line);

        public void Send(ReadOnlySpan<byte> bytes, PortSet ports, ulong time) =>
            Add($"copy {ports} {Convert.ToHexString(bytes)}");
    }
}
