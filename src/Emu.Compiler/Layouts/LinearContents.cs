using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Layouts;

/// <summary>
/// Words of a memory that follow their index: one number in all of them, or one that grows by a step from word to
/// word, as the links of a list that a constructor has made. A few are others, as the link of the last.
/// </summary>
internal sealed class LinearContents
{
    private const int MaxOthers = 2;

    private readonly int _width;
    private readonly UInt128 _first, _step;
    private readonly IReadOnlyDictionary<int, UInt128> _others;

    private LinearContents(int width, UInt128 first, UInt128 step, IReadOnlyDictionary<int, UInt128> others) =>
        (_width, _first, _step, _others) = (width, first, step, others);

    /// <summary>The words as a function of their index; null where they are none.</summary>
    /// <param name="words">The words.</param>
    /// <param name="width">The bits of a word.</param>
    public static LinearContents? Of(IReadOnlyList<UInt128> words, int width)
    {
        var mask = Arithmetic.Mask(width);
        // The words that are others may be the first ones.
        for (var at = 0; at <= MaxOthers && at + 1 < words.Count; at++)
        {
            var step = (words[at + 1] - words[at]) & mask;
            var first = (words[at] - (UInt128)at * step) & mask;
            // A step of more than one would be a product.
            if (step > 1) continue;
            var others = new Dictionary<int, UInt128>();
            for (var i = 0; i < words.Count && others.Count <= MaxOthers; i++)
                if (words[i] != ((first + (UInt128)i * step) & mask)) others[i] = words[i];
            if (others.Count <= MaxOthers) return new LinearContents(width, first, step, others);
        }
        return null;
    }

    /// <summary>A word.</summary>
    /// <param name="n">Has the operations.</param>
    /// <param name="index">Its index; what is behind the last word does not count.</param>
    public Value Word(Netlist n, Value index)
    {
        Value word = new Constant(_width, _first);
        if (_step != 0) word = n.Add(word, n.Resize(index, _width));
        foreach (var (at, other) in _others)
            word = n.Select(n.Equal(index, new Constant(index.Width, (UInt128)at)), new Constant(_width, other), word);
        return word;
    }
}
