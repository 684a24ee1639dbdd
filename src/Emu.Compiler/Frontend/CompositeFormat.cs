using System.Globalization;
using System.Text;

namespace Emu.Compiler.Frontend;

/// <summary>A composite format of .NET: text with <c>{index,alignment:format}</c>.</summary>
internal static class CompositeFormat
{
    /// <summary>A part of a format: text, or the place of an argument.</summary>
    internal sealed record Item(string Text, int? Index, int Alignment, string Format);

    /// <summary>The parts of a format; null where it is none.</summary>
    public static List<Item>? Parse(string format)
    {
        var (items, text) = (new List<Item>(), new StringBuilder());
        for (var i = 0; i < format.Length; i++)
        {
            var isDoubled = i + 1 < format.Length && format[i + 1] == format[i];
            if (format[i] is not ('{' or '}')) text.Append(format[i]);
            else if (isDoubled) text.Append(format[i++]);
            else
            {
                var end = format.IndexOf('}', i);
                if (format[i] == '}' || end < 0 || Place(format[(i + 1)..end]) is not { } place) return null;
                items.Add(new Item(text.ToString(), null, 0, ""));
                items.Add(place);
                text.Clear();
                i = end;
            }
        }
        items.Add(new Item(text.ToString(), null, 0, ""));
        items.RemoveAll(item => item is { Index: null, Text.Length: 0 });
        return items;
    }

    private static Item? Place(string inside)
    {
        var (head, format) = inside.IndexOf(':') is var colon and >= 0
            ? (inside[..colon], inside[(colon + 1)..])
            : (inside, "");
        var parts = head.Split(',');
        if (parts.Length > 2 || !TryParse(parts[0], out var index) || index < 0) return null;
        var alignment = 0;
        return parts.Length == 2 && !TryParse(parts[1], out alignment) ? null
            : new Item("", index, alignment, format);
    }

    private static bool TryParse(string text, out int number) =>
        int.TryParse(text.Trim(), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number);
}
