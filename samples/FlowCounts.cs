namespace Emu.Samples;

/// <summary>The size of a flow.</summary>
public record struct FlowCounts
{
    /// <summary>Its packets.</summary>
    public ulong Packets { get; internal set; }

    /// <summary>The bytes of their frames, without FCS.</summary>
    public ulong Bytes { get; internal set; }

    /// <inheritdoc/>
    public override readonly string ToString() => $"{Packets} packets, {Bytes} bytes";
}
