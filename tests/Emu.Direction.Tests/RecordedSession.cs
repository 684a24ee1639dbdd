using Emu.Direction.Directing;
using Emu.Direction.Packets;
using Emu.Testing;

namespace Emu.Direction.Tests;

/// <summary>
/// A session with frames between its commands, all known before the service runs, as with captures. What the service
/// sends gives the transcript.
/// </summary>
internal sealed class RecordedSession : IDirectionLink
{
    private const ulong Start = 1_700_000_000_000_000_000, Pause = 1_000_000;

    private readonly DirectorSession _session = NewSession();
    private readonly Director _director;
    private readonly List<string> _commands = [];
    private readonly List<IncomingFrame> _frames = [];
    private readonly Queue<IncomingFrame> _between;
    private ulong _time = Start;

    /// <summary>Begins the session.</summary>
    /// <param name="between">Frames of which one comes behind each request, as long as there are some.</param>
    public RecordedSession(IEnumerable<IncomingFrame>? between = null)
    {
        _between = new Queue<IncomingFrame>(between ?? []);
        _director = new Director(_session, this);
        _director.Begin(1);
    }

    /// <summary>The frames: requests, and the others.</summary>
    public IReadOnlyList<IncomingFrame> Frames => _frames;

    /// <inheritdoc/>
    public bool IsDeferred => true;

    /// <summary>Adds a command.</summary>
    public RecordedSession Do(string command)
    {
        _commands.Add(command);
        _director.Run(command);
        return this;
    }

    /// <summary>Adds a frame.</summary>
    public RecordedSession Receive(byte[] frame, int port = 1)
    {
        _frames.Add(new IncomingFrame(port, frame, _time += Pause));
        return this;
    }

    /// <summary>Lets time pass.</summary>
    public RecordedSession Wait(int seconds)
    {
        _time += (ulong)seconds * 1_000_000_000;
        return this;
    }

    /// <summary>The lines that the commands print, of all that a service sent.</summary>
    public IReadOnlyList<string> Transcript(IEnumerable<SentFrame> sent)
    {
        var answers = new Answers([.. sent.Select(frame => frame.Bytes.ToArray())]);
        var director = new Director(NewSession(), answers);
        Assert.Null(director.Begin(1));
        return [.. _commands.SelectMany(command => director.Run(command)!.Lines)];
    }

    DirectionReply? IDirectionLink.Exchange(DirectorSession session, byte[] request)
    {
        Receive(request, port: 0);
        Assert.True(DirectionPacket.TryParse(request.AsSpan(14), out var packet));
        if (packet.Kind == DirectionKind.Begin)
            session.Open(packet.FreshBy(DirectedCounter.Key, DirectedCounter.BootCount, _time));
        if (_between.TryDequeue(out var other)) Receive(other.Bytes, other.Port);
        return null;
    }

    private static DirectorSession NewSession() =>
        new(DirectedCounter.Key, DirectedCounter.Address, new MacAddress(0x0200_0000_0001), 1);

    private sealed class Answers(IReadOnlyList<byte[]> sent) : IDirectionLink
    {
        public bool IsDeferred => true;

        public DirectionReply? Exchange(DirectorSession session, byte[] request) =>
            sent.Select(frame => session.ReplyTo(request, frame)).FirstOrDefault(reply => reply is not null);
    }
}
