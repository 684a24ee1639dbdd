namespace Emu.Direction.Language;

/// <summary>The commands to a counter or trace that was started.</summary>
public enum ProbeAction
{
    /// <summary>It stops, and keeps what it has.</summary>
    Stop,

    /// <summary>It is emptied, and goes on.</summary>
    Clear,

    /// <summary>It is shown.</summary>
    Print,

    /// <summary>The values that found no room are shown; of a trace.</summary>
    Full,
}
