namespace Emu.Hosting;

/// <summary>The traffic of one port of a run.</summary>
public sealed class PortTraffic
{
    /// <summary>Frames that arrived.</summary>
    public Counter FramesIn { get; } = new();

    /// <summary>The bytes of the frames in, without FCS.</summary>
    public Counter BytesIn { get; } = new();

    /// <summary>Frames given to the port to be sent.</summary>
    public Counter FramesOut { get; } = new();

    /// <summary>The bytes of the frames out, without FCS.</summary>
    public Counter BytesOut { get; } = new();
}
