namespace Emu.Compiler.Tests;

/// <summary>Swaps two columns of a row, and counts in a third, by what the frame says.</summary>
public sealed class RowsOfCells(int stride, int rows) : Service
{
    private readonly byte[] _cells = [.. Enumerable.Range(0, stride * rows).Select(i => (byte)i)];

    public override void Process(ref Frame frame)
    {
        var row = _cells.AsSpan(frame.Bytes[0] % rows * stride, stride);
        (row[0], row[stride - 1]) = (row[stride - 1], row[0]);
        if (frame.Bytes[1] > 99) row[stride / 2] += frame.Bytes[2];
        frame.Bytes[3] = row[0];
        // Of no row: the same column, at a place that is given.
        frame.Bytes[4] = _cells[stride - 1];
        frame.Flood();
    }
}
