namespace Emu;

/// <summary>
/// Marks a method whose circuit is a module of its own, which takes calls and gives results some cycles later.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
public abstract class CoreAttribute : Attribute
{
    /// <summary>
    /// Cycles from a call to its results, 1 to 255. 0, unless given, is a handshake: the module has an output
    /// <c>done</c>, which is 1 in the cycle of the results, and takes no call in between.
    /// </summary>
    public int Latency { get; set; }

    /// <summary>
    /// Cycles from a call to the next that the module takes; 1 unless given. Not used by a handshake.
    /// </summary>
    public int Interval { get; set; } = 1;

    /// <summary>Cycles for which <c>rst</c> has to stay 1; 1 unless given.</summary>
    public int ResetCycles { get; set; } = 1;

    /// <summary>
    /// Of a handshake: the name of a static method of the same class with the same parameters, apart from those that
    /// are <see langword="out"/>, that gives the cycles from a call to its results.
    /// </summary>
    public string? Cycles { get; set; }
}
