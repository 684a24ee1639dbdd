namespace Emu.Compiler.Layouts;

/// <summary>The two forms of circuit that a service can become.</summary>
public enum Layout
{
    /// <summary>A header pipeline beside a FIFO: a frame every few cycles.</summary>
    Pipeline,

    /// <summary>A state machine over a frame buffer: takes everything.</summary>
    Engine,
}
