namespace Emu;

/// <summary>The destination of the frames that a service emits.</summary>
public interface IFrameOutput
{
    /// <summary>
    /// Emits a copy of <paramref name="bytes"/> on each of <paramref name="ports"/>, after everything emitted before.
    /// </summary>
    /// <param name="bytes">The frame without FCS.</param>
    /// <param name="ports">Ports of the device.</param>
    /// <param name="time">The time of the event that caused it, in nanoseconds.</param>
    void Send(ReadOnlySpan<byte> bytes, PortSet ports, ulong time);
}
