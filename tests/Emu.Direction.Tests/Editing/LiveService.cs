using System.Collections.Concurrent;
using Emu.Direction.Directing;
using Emu.Direction.Editing;
using Emu.Direction.Weaving;
using Emu.Hosting;
using Emu.Testing;

namespace Emu.Direction.Tests.Editing;

/// <summary>A woven service that runs on a thread of its own, with a port in memory that the test shares.</summary>
internal sealed class LiveService : IDirectionLink, IDisposable
{
    private const ulong Start = 1_700_000_000_000_000_000;

    /// <summary>The time after which something hangs: no slow or busy machine needs it.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(10);

    private readonly Woven _woven = new();
    private readonly WaitingPort _port = new();
    private readonly RunningService _run;
    private readonly Type _service;
    private readonly Lock _order = new();
    private ulong _time = Start;

    public LiveService(Type service, string features)
    {
        _service = service;
        _run = new RunningService(WeaverTests.Construct(_woven.Load(service, features), service), [_port]);
    }

    public bool IsDeferred => false;

    /// <summary>True if it answers no more.</summary>
    public bool IsGone { get; set; }

    /// <summary>The frames that it has sent, but for answers.</summary>
    public int Sent => _port.Sent.Count;

    /// <summary>The service as an editor attaches to it, in a session of its own.</summary>
    public DebugTarget Target() => new(
        SourceMap.Of(_service.Assembly.Location, _service.FullName!),
        new DirectorSession(DirectedCounter.Key, DirectedCounter.Address, new MacAddress(0x0200_0000_0001), 1),
        this, _time);

    /// <summary>Lets a frame arrive.</summary>
    public void Receive(byte[] frame)
    {
        lock (_order) _port.Arrive(new TimedFrame(frame, _time += Controller.Spacing));
    }

    /// <summary>Lets time pass.</summary>
    public void Wait(int seconds)
    {
        lock (_order) _time += (ulong)seconds * 1_000_000_000;
    }

    public DirectionReply? Exchange(DirectorSession session, byte[] request)
    {
        if (IsGone) return null;
        Receive(request);
        while (_port.Answers.TryTake(out var answer, s_limit))
        {
            if (session.ReplyTo(request, answer) is { } reply)
                return reply;
        }
        throw new TimeoutException("the service does not answer");
    }

    public void Dispose()
    {
        _port.End();
        _run.Dispose();
        _woven.Dispose();
    }

    private sealed class WaitingPort : Port
    {
        private readonly BlockingCollection<TimedFrame> _arriving = [];
        private readonly MemoryPort _memory = new([]);

        public BlockingCollection<byte[]> Answers { get; } = [];

        public ConcurrentQueue<byte[]> Sent { get; } = [];

        public override string Name => "waiting";

        public override bool IsLive => false;

        public void Arrive(TimedFrame frame) => _arriving.Add(frame);

        public void End() => _arriving.CompleteAdding();

        public override int Receive(Span<ReceivedFrame> batch)
        {
            if (_arriving.TryTake(out var frame, Timeout.Infinite)) _memory.Add(frame);
            return _memory.Receive(batch);
        }

        public override void Send(ReadOnlySpan<byte> frame, ulong time)
        {
            var bytes = frame.ToArray();
            if (new Protocols.Ethernet(bytes).EtherType == Protocols.EtherType.LocalExperimental) Answers.Add(bytes);
            else Sent.Enqueue(bytes);
        }
    }
}
