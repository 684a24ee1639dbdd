namespace Emu.Testing;

/// <summary>A frame as rows to print.</summary>
internal static class PacketFields
{
    private const int BytesPerRow = 16;

    /// <summary>The frame's bytes, sixteen to a row, each named by the offset of its first in hexadecimal.</summary>
    public static IReadOnlyList<(string Name, string Value)> Of(ReadOnlySpan<byte> frame)
    {
        var rows = new List<(string, string)>();
        for (var offset = 0; offset < frame.Length; offset += BytesPerRow)
        {
            var row = frame[offset..Math.Min(frame.Length, offset + BytesPerRow)];
            rows.Add((offset.ToString("x4"), string.Join(' ', row.ToArray().Select(b => b.ToString("x2")))));
        }
        return rows;
    }
}
