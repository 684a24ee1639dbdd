namespace Emu.Direction.Directing;

/// <summary>The state of a directed service.</summary>
/// <param name="Variables">The variables and probes that it has.</param>
/// <param name="Done">The requests that it has done.</param>
/// <param name="Unauthenticated">The packets that it has dropped since they were not authentic.</param>
/// <param name="Lost">The frames that were lost while it was stopped.</param>
/// <param name="StoppedAt">The command that has stopped it, such as <c>break Process</c>; null while it runs.</param>
public sealed record ServiceStatus(
    uint Variables, ulong Done, ulong Unauthenticated, uint Lost, string? StoppedAt);
