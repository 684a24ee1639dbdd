using System.Text;
using Emu.Protocols;

namespace Emu.Testing;

/// <summary>Expectations on frames, which fail with the frames printed by field.</summary>
public static class PacketAssert
{
    private const string Missing = "-";

    /// <summary>Expects the same bytes.</summary>
    /// <param name="expected">A <see cref="Packet"/> or bytes.</param>
    /// <param name="actual">The frame that came.</param>
    /// <exception cref="TestFailedException">
    /// They differ; the message shows both side by side, and marks the fields that do.
    /// </exception>
    public static void Equal(ReadOnlySpan<byte> expected, ReadOnlySpan<byte> actual)
    {
        if (!expected.SequenceEqual(actual)) throw new TestFailedException(Compare(expected, actual));
    }

    /// <summary>Expects that one frame alone left, by these ports, with these bytes.</summary>
    /// <param name="sent">The frames that a call of <see cref="ServiceRun"/> returned.</param>
    /// <param name="ports">All the ports by which it is to leave.</param>
    /// <param name="expected">A <see cref="Packet"/> or bytes.</param>
    /// <exception cref="TestFailedException">It was otherwise.</exception>
    public static void Sent(IReadOnlyList<SentFrame> sent, PortSet ports, ReadOnlySpan<byte> expected)
    {
        if (sent is not [var only])
            throw new TestFailedException($"expected 1 frame, by port {ports}, but {List(sent)}");
        if (only.Ports != ports) throw new TestFailedException($"expected a frame by port {ports}, but it left {only}");
        Equal(expected, only.Bytes);
    }

    /// <summary>Expects that nothing left.</summary>
    /// <param name="sent">The frames that a call of <see cref="ServiceRun"/> returned.</param>
    /// <exception cref="TestFailedException">Something did.</exception>
    public static void Nothing(IReadOnlyList<SentFrame> sent)
    {
        if (sent.Count > 0) throw new TestFailedException($"expected no frame, but {List(sent)}");
    }

    /// <summary>The frame by field, one to a line.</summary>
    /// <param name="frame">Without FCS.</param>
    public static string Describe(ReadOnlySpan<byte> frame)
    {
        var rows = PacketText.Fields(frame);
        var width = rows.Select(row => row.Name.Length).DefaultIfEmpty().Max();
        return string.Concat(rows.Select(row => $"  {row.Name.PadRight(width)}  {row.Value}\n"));
    }

    private static string List(IReadOnlyList<SentFrame> sent) =>
        sent.Count == 0
            ? "none left"
            : $"{sent.Count} left:\n{string.Concat(sent.Select((frame, i) => $"{i + 1}. {frame}"))}";

    internal static string Compare(ReadOnlySpan<byte> expected, ReadOnlySpan<byte> actual)
    {
        FieldRow[] rows = [
            new FieldRow("", "expected", "actual"), new FieldRow("length", $"{expected.Length}", $"{actual.Length}"),
            .. FieldRow.Align(PacketText.Fields(expected), PacketText.Fields(actual))];
        var nameWidth = rows.Max(row => row.Name.Length);
        var valueWidth = rows.Max(row => (row.Expected ?? Missing).Length);

        var text = new StringBuilder($"the frames differ, first at byte {expected.CommonPrefixLength(actual)}\n");
        foreach (var row in rows)
        {
            var mark = row.IsSame || row.Name.Length == 0 ? ' ' : '*';
            text.Append(
                $"{mark} {row.Name.PadRight(nameWidth)}  {(row.Expected ?? Missing).PadRight(valueWidth)}  "
                + $"{row.Actual ?? Missing}\n");
        }
        return text.ToString();
    }
}
