namespace Emu.Tool;

/// <summary>Something that a verb cannot do without, or a part of it.</summary>
/// <param name="Name">The thing.</param>
/// <param name="Verbs">The verbs that need it.</param>
/// <param name="For">The part of them that needs it.</param>
/// <param name="Missing">The reason why it cannot be used; null if it can.</param>
/// <param name="Remedy">The way to get it.</param>
internal sealed record Requirement(
    string Name, IReadOnlyList<string> Verbs, string For, string? Missing, string Remedy);
