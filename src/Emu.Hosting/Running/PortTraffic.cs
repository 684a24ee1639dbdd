namespace Emu.Hosting;

/// <summary>What went through one port of a run.</summary>
public sealed class PortTraffic
{
    /// <summary>Frames that arrived.</summary>
    public Counter FramesIn { get; } = new();

    /// <summary>Their bytes, without FCS.</summary>
    public Counter BytesIn { get; } = new();

    /// <summary>Frames given to the port to be sent.</summary>
    public Counter FramesOut { get; } = new();

    /// <summary>Their bytes, without FCS.</summary>
    public Counter BytesOut { get; } = new();
}
