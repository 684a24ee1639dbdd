using System.Diagnostics;
using Emu.Direction.Directing;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>A way to a service over an interface; a request without an answer is sent again.</summary>
/// <param name="port">The interface.</param>
/// <param name="tries">The times that it is sent, 300 ms apart.</param>
internal sealed class PortLink(Port port, int tries = 5) : IDirectionLink
{
    private const int BatchSize = 64, MostSeconds = 3600;
    private static readonly TimeSpan s_patience = TimeSpan.FromMilliseconds(300);
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(1);

    private readonly ReceivedFrame[] _batch = new ReceivedFrame[BatchSize];

    /// <summary>The times to send a request before an answer is given up after some seconds.</summary>
    public static int TriesFor(double seconds) =>
        (int)Math.Ceiling(Math.Clamp(seconds, s_patience.TotalSeconds, MostSeconds) / s_patience.TotalSeconds);

    /// <inheritdoc/>
    public bool IsDeferred => false;

    /// <inheritdoc/>
    public DirectionReply? Exchange(DirectorSession session, byte[] request)
    {
        for (var i = 0; i < tries; i++)
        {
            port.Send(request, HostClock.Now);
            port.Flush();
            if (Wait(session, request) is { } reply) return reply;
        }
        return null;
    }

    private DirectionReply? Wait(DirectorSession session, byte[] request)
    {
        var watch = Stopwatch.StartNew();
        while (watch.Elapsed < s_patience)
        {
            var count = port.Receive(_batch);
            if (count == 0) Thread.Sleep(s_pause);
            foreach (var frame in _batch.AsSpan(0, count))
            {
                if (session.ReplyTo(request, frame.Bytes) is { } reply) return reply;
            }
        }
        return null;
    }
}
