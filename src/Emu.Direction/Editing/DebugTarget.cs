using Emu.Direction.Directing;
using Emu.Direction.Weaving;

namespace Emu.Direction.Editing;

/// <summary>A service that an editor is attached to.</summary>
/// <param name="source">The places in its source.</param>
/// <param name="session">The session.</param>
/// <param name="link">The way to it.</param>
/// <param name="time">The director's time, in nanoseconds, with which the session begins.</param>
/// <param name="port">What is to be closed in the end; null for nothing.</param>
public sealed class DebugTarget(
    SourceMap source, DirectorSession session, IDirectionLink link, ulong time, IDisposable? port = null) : IDisposable
{
    /// <summary>The places in its source.</summary>
    internal SourceMap Source => source;

    /// <summary>True if a request had no answer: it is not known whether the service is still there.</summary>
    internal bool IsLost { get; private set; }

    /// <summary>Begins the session.</summary>
    /// <exception cref="DebugAdapterException">There is none.</exception>
    internal Director Begin()
    {
        var director = new Director(session, new NotingLink(this, link));
        return director.Begin(time) is { } why ? throw new DebugAdapterException(why) : director;
    }

    /// <inheritdoc/>
    public void Dispose() => port?.Dispose();

    /// <summary>Notes a request without an answer.</summary>
    private sealed class NotingLink(DebugTarget target, IDirectionLink link) : IDirectionLink
    {
        public bool IsDeferred => false;

        public DirectionReply? Exchange(DirectorSession session, byte[] request)
        {
            // One that is lost is asked no more: each question would take the whole time again.
            var reply = target.IsLost ? null : link.Exchange(session, request);
            target.IsLost |= reply is null;
            return reply;
        }
    }
}
