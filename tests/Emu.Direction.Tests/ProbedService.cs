using Emu.Protocols;

namespace Emu.Direction.Tests;

/// <summary>A service with an event of every kind. It is woven by the tests.</summary>
public sealed class ProbedService : Service
{
    private readonly Counter _short = new(), _long = new();
    private MacAddress _last;
    private int _balance;
    private byte _ports;

    /// <summary>The last source.</summary>
    public ulong Frames { get; private set; }

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        Frames++;
        var source = new Ethernet(frame).Source;
        if (source == _last) _balance--;
        _last = source;
        _ports = (byte)(frame.Ingress.Index switch
        {
            0 => _ports | 1,
            1 => _ports ^ 2,
            _ => Other(),
        });
        if (frame.Length > 100)
        {
            _long.Increment();
            _long.Add(2);
        }
        else _short.Increment();
        frame.Reply();
    }

    private int Other()
    {
        _balance += 3;
        return _ports + 1;
    }
}
