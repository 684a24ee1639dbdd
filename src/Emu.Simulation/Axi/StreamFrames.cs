namespace Emu.Simulation;

/// <summary>A frame that is to go into a design, and when it did.</summary>
/// <param name="bytes">The frame; empty for a null beat, which carries time alone.</param>
/// <param name="ingress">The MAC port, 0 to 3, or <see cref="PortId.None"/>.</param>
/// <param name="time">The time of its arrival, in nanoseconds.</param>
/// <param name="statedLength">The length that <c>tuser</c> states:
/// another number than the bytes only from a source that lies.</param>
public sealed class SourceFrame(ReadOnlyMemory<byte> bytes, PortId ingress, ulong time, int statedLength)
{
    /// <summary>The frame; empty for a null beat.</summary>
    public ReadOnlyMemory<byte> Bytes { get; } = bytes;

    /// <summary>The MAC port, or <see cref="PortId.None"/>.</summary>
    public PortId Ingress { get; } = ingress;

    /// <summary>The time of its arrival, in nanoseconds.</summary>
    public ulong Time { get; } = time;

    /// <summary>The length that <c>tuser</c> states.</summary>
    public int StatedLength { get; } = statedLength;

    /// <summary>The edge, from 0, that accepted its first beat; null before.</summary>
    public long? FirstBeat { get; internal set; }

    /// <summary>The edge that accepted its last beat; null before, and for ever if a reset came first.</summary>
    public long? LastBeat { get; internal set; }
}

/// <summary>A frame that came out of a design.</summary>
/// <param name="Bytes">The frame.</param>
/// <param name="User">The contents of <c>tuser</c> on its first beat.</param>
/// <param name="Visible">
/// The edge, from 0, at which its first beat could first be sampled: <c>tvalid</c> was high before it.
/// </param>
/// <param name="FirstBeat">The edge that transferred its first beat.</param>
/// <param name="LastBeat">The edge that transferred its last beat.</param>
public sealed record SinkFrame(ReadOnlyMemory<byte> Bytes, StreamUser User, long Visible, long FirstBeat, long LastBeat)
{
    /// <summary>The MAC ports that it leaves by.</summary>
    public PortSet Destinations => StreamUser.Ports(User.Destinations);

    /// <summary>The MAC ports that it came from: one or none.</summary>
    public PortSet Sources => StreamUser.Ports(User.Source);

    /// <summary>The time it carries, in nanoseconds.</summary>
    public ulong Time => User.Time;
}

/// <summary>A frame in, and the first that came out because of it.</summary>
/// <param name="In">The cause.</param>
/// <param name="Out">The effect.</param>
/// <param name="Latency">
/// Edges from the one that accepted the first beat to the first that could sample the output: 1 for a register.
/// </param>
public sealed record FrameLatency(SourceFrame In, SinkFrame Out, long Latency);
