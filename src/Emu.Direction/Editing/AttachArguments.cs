namespace Emu.Direction.Editing;

/// <summary>The arguments of <c>attach</c>: the ones of <c>emu direct</c>, and the service whose source is shown.
/// </summary>
public sealed record AttachArguments
{
    /// <summary>The interface that the service is at: <c>raw:IFACE</c> or <c>tap:NAME</c>.</summary>
    public required string Port { get; init; }

    /// <summary>The MAC address of the service's direction frames.</summary>
    public required string To { get; init; }

    /// <summary>The file of the key.</summary>
    public required string Key { get; init; }

    /// <summary>The service: its name, or the path of its project or assembly.</summary>
    public required string Service { get; init; }

    /// <summary>The seconds without an answer after which the service is taken for lost: 5 unless given.</summary>
    public double Timeout { get; init; } = 5;
}
