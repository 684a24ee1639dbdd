namespace Emu.Simulation;

/// <summary>A rule of a bus was broken; the message says on which side, in which cycle and which.</summary>
public sealed class BusException : Exception
{
    /// <summary>Makes an exception without a message.</summary>
    public BusException()
    {
    }

    /// <summary>Makes an exception with a message.</summary>
    public BusException(string message) : base(message)
    {
    }

    /// <summary>Makes an exception with a message and a cause.</summary>
    public BusException(string message, Exception innerException) : base(message, innerException)
    {
    }
}
