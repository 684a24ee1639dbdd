using System.Text;

namespace Emu.Services;

/// <summary>Texts by their numbers, one behind the other in memory.</summary>
internal sealed class Texts(string[] texts)
{
    private readonly byte[] _bytes = Encoding.ASCII.GetBytes(string.Concat(texts));
    private readonly ushort[] _starts =
        [.. Enumerable.Range(0, texts.Length + 1).Select(n => (ushort)texts.Take(n).Sum(text => text.Length))];

    /// <summary>A text.</summary>
    public ReadOnlySpan<byte> this[int number] => _bytes.AsSpan(_starts[number], LengthOf(number));

    /// <summary>The bytes of a text.</summary>
    public int LengthOf(int number) => _starts[number + 1] - _starts[number];
}
