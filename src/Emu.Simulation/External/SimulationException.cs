namespace Emu.Simulation;

/// <summary>
/// An outside simulator is missing, does not take a design, ended, or gave an output that is not known.
/// </summary>
public sealed class SimulationException : Exception
{
    /// <summary>Without a reason.</summary>
    public SimulationException()
    {
    }

    /// <summary>Makes an exception with the program's message.</summary>
    public SimulationException(string message) : base(message)
    {
    }

    /// <summary>Makes an exception with the program's message and the cause.</summary>
    public SimulationException(string message, Exception innerException) : base(message, innerException)
    {
    }
}
