namespace Emu.Compiler.Layouts;

/// <summary>How a service is laid out as a circuit.</summary>
public enum Layout
{
    /// <summary>A header pipeline beside a FIFO: a frame every few cycles.</summary>
    Pipeline,

    /// <summary>A state machine over a frame buffer: takes everything.</summary>
    Engine,
}
