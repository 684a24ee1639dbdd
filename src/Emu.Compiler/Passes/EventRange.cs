using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>The events that a function handles.</summary>
/// <param name="Length">The bytes of the frame.</param>
/// <param name="Ingress">The port that it comes from.</param>
internal sealed record EventRange(Interval Length, Interval Ingress)
{
    /// <summary>A frame received.</summary>
    /// <param name="ports">The device's ports.</param>
    /// <param name="capacity">The most bytes of a frame.</param>
    public static EventRange Frame(int ports, int capacity) =>
        new(new Interval(FrameLength.Header, (UInt128)capacity), new Interval(0, (UInt128)(ports - 1)));

    /// <summary>A tick: no frame, no port.</summary>
    public static EventRange Tick { get; } = new(Interval.Of(0), Interval.Of(PortId.None.Index));

    public Interval Of(FrameInput input) => input switch
    {
        FrameInput.Length => Length,
        FrameInput.Ingress => Ingress,
        _ => Interval.Full(64),
    };
}
