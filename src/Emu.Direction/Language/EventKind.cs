namespace Emu.Direction.Language;

/// <summary>The kinds of event that are counted.</summary>
public enum EventKind
{
    /// <summary>A variable is read.</summary>
    Reads,

    /// <summary>A variable is assigned.</summary>
    Writes,

    /// <summary>A method is called, or a line is come to.</summary>
    Calls,
}
