namespace Emu.Direction.Weaving;

/// <summary>The features that weave probes into a service, as their commands are called.</summary>
internal enum ProbeFeature
{
    /// <summary>Counts an event.</summary>
    Count,

    /// <summary>Keeps the values that a variable is given.</summary>
    Trace,

    /// <summary>Stops at a method or a line.</summary>
    Break,

    /// <summary>Stops when a variable has been written.</summary>
    Watch,
}
