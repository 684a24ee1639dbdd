namespace Emu.Hosting;

/// <summary>A table of a service as text.</summary>
/// <param name="Columns">The titles of the columns.</param>
/// <param name="Rows">The live entries.</param>
public sealed record TableSnapshot(IReadOnlyList<string> Columns, IReadOnlyList<IReadOnlyList<string>> Rows)
{
    internal static TableSnapshot Of(IControlTable table, ulong time) =>
        new(table.Columns, [.. table.Rows(time)]);
}
