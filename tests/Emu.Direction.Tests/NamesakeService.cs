using Emu.Protocols;

namespace Emu.Direction.Tests;

/// <summary>A service with a counter of a name that its host has as well.</summary>
public sealed class NamesakeService : Service
{
    private readonly IPHost _host = new(IPv4Address.Parse("10.0.0.1"));

    /// <summary>The host's counters.</summary>
    public HostCounters Host => _host.Counters;

    /// <summary>Frames that are too short for a message.</summary>
    public Counter Malformed { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Length < 70) Malformed.Increment();
        _host.Receive(ref frame);
    }
}
