using Emu.Compiler.IR;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>All that can be seen of functions: what becomes of each event, and the state that is left.</summary>
internal static class Behaviour
{
    private const int FramesPerTick = 5;

    /// <summary>Runs a service's functions, event after event.</summary>
    /// <param name="functions">The function for frames, then the one for ticks if there is one.</param>
    /// <param name="state">The state that is looked at in the end.</param>
    /// <param name="frames">The frames.</param>
    public static List<string> Of(
        IReadOnlyList<Function> functions, IEnumerable<StateElement> state, IReadOnlyList<IncomingFrame> frames)
    {
        var (interpreter, seen) = (new Interpreter(), new Seen());
        foreach (var (index, frame) in frames.Index())
        {
            if (functions.Count > 1 && index % FramesPerTick == 0)
                seen.Add(Event(interpreter, functions[1], [], PortId.None.Index, frame.Time, seen));
            seen.Add(Event(interpreter, functions[0], frame.Bytes, (byte)frame.Port, frame.Time, seen));
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
        if (result.Deferred is not null) return "deferred";
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
