using Emu.Direction.Directing;
using Emu.Testing;

namespace Emu.Direction.Tests;

/// <summary>A way to a service that runs in the test, which may lose requests and answers.</summary>
/// <param name="run">The service.</param>
/// <param name="time">The time of the first request.</param>
internal sealed class ServiceLink(ServiceRun run, ulong time) : IDirectionLink
{
    /// <summary>The time of the last request.</summary>
    public ulong Time { get; private set; } = time;

    public bool IsDeferred => false;

    /// <summary>Answers that are lost, from now on.</summary>
    public int Lost { get; set; }

    public DirectionReply? Exchange(DirectorSession session, byte[] request)
    {
        while (true)
        {
            var sent = run.Receive(0, request, Time += Controller.Spacing);
            if (Lost > 0) Lost--;
            else return sent.Select(frame => session.Parse(frame.Bytes)).FirstOrDefault(reply => reply is not null);
        }
    }
}
