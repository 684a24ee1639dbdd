using Emu.Direction.Directing;
using Emu.Direction.Packets;
using Emu.Hosting;
using Emu.Protocols;

namespace Emu.Tool;

/// <summary>Writes the requests of a session to a capture, for a service to answer later.</summary>
/// <param name="writer">The capture.</param>
/// <param name="key">The key of the service.</param>
internal sealed class RequestCapture(CaptureWriter writer, UInt128 key) : IDirectionLink
{
    /// <summary>The time of the first request, in nanoseconds.</summary>
    private const ulong Start = 1_700_000_000_000_000_000;

    /// <summary>The nanoseconds between requests: a millisecond.</summary>
    private const ulong Pause = 1_000_000;

    private readonly int _interface = writer.AddInterface("direction");
    private ulong _time = Start;

    /// <inheritdoc/>
    public bool IsDeferred => true;

    /// <summary>
    /// Writes the request. Of a service on captures all is known that the fresh number of a session is drawn from: its
    /// boot count is 0, and its time that of the request.
    /// </summary>
    public DirectionReply? Exchange(DirectorSession session, byte[] request)
    {
        writer.Write(_interface, request, _time);
        if (DirectionPacket.TryParse(request.AsSpan(Ethernet.HeaderLength), out var packet)
            && packet.Kind == DirectionKind.Begin)
            session.Open(packet.FreshBy(key, bootCount: 0, _time));
        _time += Pause;
        return null;
    }
}
