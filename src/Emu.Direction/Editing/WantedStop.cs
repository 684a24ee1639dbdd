using Emu.Direction.Editing.Messages;
using Emu.Direction.Weaving;

namespace Emu.Direction.Editing;

/// <summary>A breakpoint that the editor asks for.</summary>
/// <param name="Probe">The probe that does it, such as <c>break Process</c>; null if none is woven.</param>
/// <param name="WhyNot">The reason that there is none.</param>
/// <param name="Condition">The condition; null for none.</param>
/// <param name="Hits">The hits at which it stops; null for all.</param>
/// <param name="Log">The text that it prints instead of a stop; null if it stops.</param>
/// <param name="Remark">A remark for the user; null for none.</param>
/// <param name="Source">The file; null if it is not known.</param>
/// <param name="Line">The line; null if it is not known.</param>
internal sealed record WantedStop(
    string? Probe, string? WhyNot, string? Condition = null, HitCondition? Hits = null, LogMessage? Log = null,
    string? Remark = null, Source? Source = null, int? Line = null)
{
    /// <summary>True if a trace does it, so that the service is not stopped.</summary>
    public bool IsTrace => Probe?.StartsWith("trace ", StringComparison.Ordinal) == true;

    /// <summary>The variable, method or line of the probe.</summary>
    public string Name => Probe is null ? "" : Probe[(Probe.IndexOf(' ') + 1)..];

    /// <summary>The command that sets it.</summary>
    public string SetCommand => (IsTrace ? $"trace start {Name}" : Probe)
        + (string.IsNullOrWhiteSpace(Condition) ? "" : $" if {Condition}");

    /// <summary>The command that unsets it.</summary>
    public string UnsetCommand => IsTrace ? $"trace stop {Name}" : $"un{Probe}";

    /// <summary>The file of a place, as the editor names it.</summary>
    public static Source SourceOf(SourcePlace place) => new(Path.GetFileName(place.File), place.File);
}
