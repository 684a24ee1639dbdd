using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Answers of a device with the value of a hexadecimal number, whose digits it finds in a table.</summary>
internal sealed class HexReader : Service
{
    private readonly sbyte[] _digits = new sbyte[128];

    public HexReader()
    {
        Array.Fill(_digits, (sbyte)-1);
        for (var i = 0; i < 16; i++)
            (_digits["0123456789abcdef"[i]], _digits["0123456789ABCDEF"[i]]) = ((sbyte)i, (sbyte)i);
    }

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var text = frame.Bytes[LookupFrames.Text..];
        uint number = 0;
        foreach (var c in text)
        {
            if (c == '\n') break;
            if (c >= 128 || _digits[c] < 0)
            {
                Malformed.Increment();
                return;
            }
            number = number << 4 ^ (uint)_digits[c];
        }
        frame.ForwardTo(new PortSet((byte)(number ^ number >> 4)));
    }
}

/// <summary>Counts words by a table of the kinds of characters, a string that is a constant.</summary>
internal sealed class WordCounter : Service
{
    // Nothing, a letter, a digit, a blank, an end.
    private static ReadOnlySpan<byte> Kinds => "03334000011112222000000000000000"u8;

    public override void Process(ref Frame frame)
    {
        var text = frame.Bytes[LookupFrames.Text..];
        var (words, inWord) = (0, false);
        for (var i = 0; i < text.Length; i++)
        {
            var kind = Kinds[text[i] & 31];
            if (kind == '4') break;
            var isLetter = kind == '1' || inWord && kind == '2';
            if (isLetter && !inWord) words++;
            inWord = isLetter;
        }
        frame.ForwardTo(new PortSet((byte)words));
    }
}

/// <summary>
/// Walks records whose length is that of their kind, which a table says, and drops what has a kind that its port may
/// not send.
/// </summary>
internal sealed class RecordWalk : Service
{
    private static readonly int[] s_lengths = [1, 2, 4, 4, 8, 3, 12, 6];

    private readonly byte[][] _allowed =
        [[1, 1, 0, 1, 1, 1, 1, 1], [1, 0, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 0, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1, 0]];

    public Counter Refused { get; } = new();

    public Counter Records { get; } = new();

    public override void Process(ref Frame frame)
    {
        var allowed = _allowed[frame.Ingress.Index];
        var rest = frame.Bytes[LookupFrames.Text..];
        while (rest.Length > 0 && rest[0] != '\n')
        {
            var kind = rest[0] & 7;
            if (allowed[kind] == 0)
            {
                Refused.Increment();
                return;
            }
            Records.Increment();
            var length = s_lengths[kind];
            if (length > rest.Length) break;
            rest = rest[length..];
        }
        frame.Flood();
    }
}

/// <summary>Looks for a mark, and decodes at most so many characters behind it.</summary>
internal sealed class MarkedCode : Service
{
    private const int Longest = 40;

    private static ReadOnlySpan<byte> Values =>
        [7, 1, 9, 4, 0, 0, 3, 8, 2, 6, 5, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233];

    public override void Process(ref Frame frame)
    {
        var text = frame.Bytes[LookupFrames.Text..];
        var at = text.IndexOf("7="u8);
        var sum = 0;
        if (at >= 0)
        {
            var code = text[(at + 2)..];
            for (var i = 0; i < code.Length && i < Longest; i++)
            {
                if (code[i] < 'a' || code[i] - 'a' >= Values.Length) break;
                sum = sum * 2 + Values[code[i] - 'a'];
            }
        }
        frame.ForwardTo(new PortSet((byte)(sum ^ sum >> 3)));
    }
}

/// <summary>Frames for these.</summary>
internal static class LookupFrames
{
    /// <summary>The offset of the text.</summary>
    public const int Text = 14;

    private static readonly string[] s_alphabets =
    [
        "0123456789abcdefABCDEF", "0123456789abcdefg\n", "abcdefghijklmnopqrstuvwxyz7=7=\n",
        "\0\u0001\u0002\u0003\u0004", "7=",
    ];

    /// <summary>Text of one of several alphabets.</summary>
    public static List<IncomingFrame> Of(int count)
    {
        var random = new Random(11);
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            var alphabet = s_alphabets[random.Next(s_alphabets.Length)];
            var frame = new byte[Math.Max(Text, 60 - i % 3) + random.Next(4) * random.Next(50)];
            random.NextBytes(frame);
            for (var at = Text; at < frame.Length; at++)
                if (random.Next(200) > 0) frame[at] = (byte)alphabet[random.Next(alphabet.Length)];
            if (i % 4 == 0) (frame[Text + i % 30], frame[Text + 1 + i % 30]) = ((byte)'7', (byte)'=');
            if (i % 5 == 0) frame[^1] = (byte)'\n';
            return new IncomingFrame(random.Next(Subject.Ports), frame, 1000 * (ulong)i);
        })];
    }
}
