using Emu.Compiler.IR;

namespace Emu.Compiler;

/// <summary>
/// Says of frames whether a circuit leaves them to its slow path, which may depend on the frames before them.
/// </summary>
/// <param name="compiled">The circuit.</param>
public sealed class FramePaths(CompiledService compiled)
{
    private readonly Interpreter _state = new();

    /// <summary>Takes a frame, wherever it goes: those asked for later come behind it.</summary>
    /// <param name="frame">From the destination address to the last byte before the FCS.</param>
    /// <param name="ingress">The port that it comes by.</param>
    /// <param name="time">When it arrives, in nanoseconds.</param>
    /// <remarks>Ticks are passed over.</remarks>
    public void Take(ReadOnlySpan<byte> frame, PortId ingress, ulong time)
    {
        if (IsEvent(frame)) Run(_state, compiled.Compilation.Process, frame, ingress, time);
    }

    /// <summary>The reason for which the circuit leaves a frame to its slow path; null when it does not.</summary>
    /// <param name="frame">From the destination address to the last byte before the FCS.</param>
    /// <param name="ingress">The port that it comes by.</param>
    /// <param name="time">When it arrives, in nanoseconds.</param>
    public SideExit? WhyDeferred(ReadOnlySpan<byte> frame, PortId ingress, ulong time) =>
        IsEvent(frame) ? Run(_state.Fork(), compiled.Compilation.Fast!, frame, ingress, time).Deferred : null;

    private bool IsEvent(ReadOnlySpan<byte> frame) =>
        compiled.SlowPaths.Count > 0
        && frame.Length >= FrameLength.Header && frame.Length <= compiled.Options.Capacity;

    private EventResult Run(
        Interpreter state, Function function, ReadOnlySpan<byte> frame, PortId ingress, ulong time)
    {
        var memory = new byte[compiled.Options.Capacity];
        frame.CopyTo(memory);
        return state.Run(function, memory, frame.Length, ingress.Index, time, new NoHost());
    }

    /// <summary>The host of frames of which only the path matters.</summary>
    private sealed class NoHost : IEventHost
    {
        public void Send(ReadOnlySpan<byte> bytes, PortSet ports, ulong time)
        {
        }

        public void WaitForFrame()
        {
        }

        public bool TryHold(ReadOnlySpan<byte> bytes, PortId ingress, ulong time, int capacity) => false;
    }
}
