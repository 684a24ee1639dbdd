namespace Emu.Hosting;

/// <summary>
/// The frames of ports that are not live, as one sequence: merged by time, then by port number;
/// every run of captures takes it.
/// </summary>
public sealed class MergedCaptures
{
    private readonly Head[] _heads;

    /// <summary>Takes the first frames.</summary>
    /// <param name="ports">Open ports, none of them live; they stay the caller's.</param>
    /// <exception cref="CommandException">A capture is broken at its start.</exception>
    public MergedCaptures(IReadOnlyList<Port> ports)
    {
        ArgumentNullException.ThrowIfNull(ports);
        _heads = [.. ports.Select(p => new Head(p))];
        Port = Earliest();
    }

    /// <summary>True if every capture has ended.</summary>
    public bool HasEnded => Port < 0;

    /// <summary>The port that the next frame arrives at; -1 at the end.</summary>
    public int Port { get; private set; }

    /// <summary>The next frame, until <see cref="MoveNext"/>; not at the end.</summary>
    public ReceivedFrame Frame => _heads[Port].Frame;

    /// <summary>Goes on to the frame behind.</summary>
    /// <exception cref="CommandException">A capture is broken; all whole frames before were given.</exception>
    public void MoveNext()
    {
        _heads[Port].MoveNext();
        Port = Earliest();
    }

    private int Earliest()
    {
        var earliest = -1;
        for (var i = 0; i < _heads.Length; i++)
        {
            if (_heads[i].HasFrame && (earliest < 0 || _heads[i].Frame.Time < _heads[earliest].Frame.Time))
                earliest = i;
        }
        return earliest;
    }

    /// <summary>The next frame of a port, and those of its batch behind it.</summary>
    private sealed class Head
    {
        private const int BatchSize = 64;

        private readonly Port _port;
        private readonly ReceivedFrame[] _batch = new ReceivedFrame[BatchSize];
        private int _count;
        private int _next;

        public Head(Port port)
        {
            _port = port;
            Refill();
        }

        public bool HasFrame => _next < _count;

        public ReceivedFrame Frame => _batch[_next];

        public void MoveNext()
        {
            if (++_next == _count) Refill();
        }

        private void Refill()
        {
            _count = _port.Receive(_batch);
            _next = 0;
        }
    }
}
