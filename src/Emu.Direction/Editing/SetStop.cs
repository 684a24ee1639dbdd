using Emu.Direction.Editing.Messages;

namespace Emu.Direction.Editing;

/// <summary>A breakpoint of the editor.</summary>
/// <param name="id">Its number.</param>
/// <param name="wanted">The one that was asked for.</param>
internal sealed class SetStop(int id, WantedStop wanted)
{
    /// <summary>The number by which stops name it.</summary>
    public int Id => id;

    /// <summary>The one that was asked for.</summary>
    public WantedStop Wanted => wanted;

    /// <summary>The reason that it is not set; null if it is.</summary>
    public string? WhyNot { get; set; } = wanted.WhyNot;

    /// <summary>The hits so far.</summary>
    public uint Hits { get; set; }

    /// <summary>The values of its trace that are printed already.</summary>
    public uint Printed { get; set; }

    /// <summary>The values that its trace has missed, as far as the user knows.</summary>
    public uint Missed { get; set; }

    /// <summary>The breakpoint as the editor is told.</summary>
    public Breakpoint Shown => new(
        id, WhyNot is null, WhyNot ?? wanted.Remark, wanted.Source, wanted.Source is null ? null : wanted.Line);
}
