namespace Emu.Compiler.IR;

/// <summary>The inputs of an event besides the bytes of its frame.</summary>
public enum FrameInput
{
    /// <summary>32 bits: the bytes of the frame; 0 for a tick.</summary>
    Length,

    /// <summary>8 bits: the port it came from; 64 for none.</summary>
    Ingress,

    /// <summary>64 bits: nanoseconds.</summary>
    Time,
}
