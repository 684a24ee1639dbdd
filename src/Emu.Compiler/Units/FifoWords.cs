using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>Values side by side in words as wide as a value can be.</summary>
internal static class FifoWords
{
    /// <summary>Puts values side by side.</summary>
    public static List<Value> Join(Netlist n, IEnumerable<Value> values)
    {
        var words = new List<Value>();
        foreach (var value in values)
        {
            if (words.Count > 0 && words[^1].Width + value.Width <= Value.MaxWidth)
                words[^1] = n.Concat(value, words[^1]);
            else words.Add(value);
        }
        return words;
    }

    /// <summary>Takes values of some widths, which were put side by side, out of words.</summary>
    public static List<Value> Split(Netlist n, IReadOnlyList<Value> words, IEnumerable<int> widths)
    {
        var parts = new List<Value>();
        var (word, low) = (0, 0);
        foreach (var width in widths)
        {
            if (low == words[word].Width) (word, low) = (word + 1, 0);
            parts.Add(n.Extract(words[word], low, width));
            low += width;
        }
        return parts;
    }

    /// <summary>The bytes of words.</summary>
    public static List<Value> Bytes(Netlist n, IEnumerable<Value> words) =>
        [.. words.SelectMany(word => Enumerable.Range(0, word.Width / 8).Select(i => n.Extract(word, 8 * i, 8)))];
}
