namespace Emu;

/// <summary>A block that can be read from outside as rows, between two events.</summary>
public interface IControlTable
{
    /// <summary>The titles of the columns of a row.</summary>
    IReadOnlyList<string> Columns { get; }

    /// <summary>The rows as text, in the order in which the block holds them.</summary>
    /// <param name="nanoseconds">The time of the last event, as <see cref="Frame.Time"/> is.</param>
    IEnumerable<IReadOnlyList<string>> Rows(ulong nanoseconds);
}
