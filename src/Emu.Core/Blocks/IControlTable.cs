namespace Emu;

/// <summary>A block that can be read from outside as rows, between two events.</summary>
public interface IControlTable
{
    /// <summary>The titles of the columns of a row.</summary>
    IReadOnlyList<string> Columns { get; }

    /// <summary>The rows as text, in the order in which the block holds them.</summary>
    /// <param name="seconds">The time of the last event.</param>
    IEnumerable<IReadOnlyList<string>> Rows(ulong seconds);
}
