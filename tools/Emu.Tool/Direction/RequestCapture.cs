using Emu.Direction.Directing;
using Emu.Direction.Packets;
using Emu.Hosting;
using Emu.Protocols;

namespace Emu.Tool;

/// <summary>Writes the requests of a session to a capture, for a service to answer later.</summary>
/// <param name="writer">The capture.</param>
/// <param name="port">The interface in it.</param>
/// <param name="key">The key of the service.</param>
internal sealed class RequestCapture(CaptureWriter writer, int port, UInt128 key) : IDirectionLink
{
    /// <summary>The time before the first request, in nanoseconds.</summary>
    private const ulong Start = 1_700_000_000_000_000_000;

    /// <summary>The nanoseconds between requests: a millisecond.</summary>
    private const ulong Pause = 1_000_000;

    private ulong _time = Start;

    /// <inheritdoc/>
    public bool IsDeferred => true;

    /// <summary>The requests that were written.</summary>
    public int Written { get; private set; }

    /// <summary>
    /// Writes the request. Of a service on captures all is known that the fresh number of a session is drawn from: its
    /// boot count is 0, and its time that of the request.
    /// </summary>
    public DirectionReply? Exchange(DirectorSession session, byte[] request)
    {
        var time = NextTime();
        Written++;
        writer.Write(port, request, time);
        if (DirectionPacket.TryParse(request.AsSpan(Ethernet.HeaderLength), out var packet)
            && packet.Kind == DirectionKind.Begin)
            session.Open(packet.FreshBy(key, bootCount: 0, time));
        return null;
    }

    /// <summary>Takes the time of the next request, for another frame.</summary>
    public ulong NextTime() => _time += Pause;
}
