namespace Emu.Direction.Directing;

/// <summary>A way to a service: an interface, or captures.</summary>
public interface IDirectionLink
{
    /// <summary>True if answers come another time, so that the requests must not depend on them.</summary>
    bool IsDeferred { get; }

    /// <summary>Sends a request, again where that may help.</summary>
    /// <returns>The first frame that is a reply to it; null if there is none.</returns>
    DirectionReply? Exchange(DirectorSession session, byte[] request);
}
