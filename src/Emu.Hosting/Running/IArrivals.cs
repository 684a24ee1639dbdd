namespace Emu.Hosting;

/// <summary>The frames that arrive, for an event that waits for one.</summary>
public interface IArrivals
{
    /// <summary>Takes the next frame, when it is there.</summary>
    /// <param name="ingress">The port at which it arrived.</param>
    /// <param name="frame">
    /// The frame, with room for the longest; until the next call.
    /// </param>
    /// <returns>False if none will come: the run is over, and the event that waits with it.</returns>
    bool TryTake(out PortId ingress, out ReceivedFrame frame);
}
