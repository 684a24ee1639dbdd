namespace Emu.Compiler.Tests;

/// <summary>
/// Answers who asks for a word by the number of the word. A word is read byte by byte, and looked up in a bucket of any
/// length: what could be read is the slow path's, so there is no reason to read it before.
/// </summary>
public sealed class WordIndex : Service
{
    private const int Kind = 13, Answer = 14, First = 16;
    private const byte Ask = 1, Unreadable = 2, Unknown = 3, Known = 4;
    private const int Most = 40;

    private static readonly string[] s_words =
        [.. Enumerable.Range(0, 60).Select(i => new string((char)('a' + i % 26), 1 + i % 11) + i)];

    private readonly ushort[] _buckets;
    private readonly uint[] _hashes;

    public WordIndex()
    {
        var hashes = s_words.Select(word => word.Aggregate(5381u, (hash, letter) => Next(hash, (byte)letter)))
            .OrderBy(Bucket).ToList();
        _hashes = [.. hashes];
        _buckets = [.. Enumerable.Range(0, 17).Select(i => (ushort)hashes.Count(hash => Bucket(hash) < i))];
    }

    /// <summary>The words that it knows.</summary>
    public static IReadOnlyList<string> Words => s_words;

    public Counter Errors { get; } = new();

    public Counter Answers { get; } = new();

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        if (bytes[Kind] != Ask)
        {
            frame.Flood();
            return;
        }
        frame.Reply();
        if (!TryRead(bytes, out var hash))
        {
            Errors.Increment();
            bytes[Kind] = Unreadable;
            return;
        }
        var number = Find(hash);
        bytes[Kind] = number < 0 ? Unknown : Known;
        bytes[Answer] = (byte)number;
        Answers.Increment();
    }

    private static bool TryRead(ReadOnlySpan<byte> bytes, out uint hash)
    {
        hash = 5381;
        var at = First;
        for (; at < bytes.Length && bytes[at] != 0; at++)
        {
            if (bytes[at] > 'z' || at == First + Most) return false;
            hash = Next(hash, bytes[at]);
        }
        return at > First;
    }

    private int Find(uint hash)
    {
        var bucket = Bucket(hash);
        for (int i = _buckets[bucket]; i < _buckets[bucket + 1]; i++)
            if (_hashes[i] == hash) return i;
        return -1;
    }

    private static uint Next(uint hash, byte letter) => hash * 33 ^ letter;

    private static int Bucket(uint hash) => (int)(hash & 15);
}

/// <summary>
/// The same question, and answered at once where the word is the one that is wanted most: what has been read is used by
/// frames that leave, so it is read in the pipeline, and all others are the slow path's.
/// </summary>
public sealed class FavouriteWord : Service
{
    private const int Kind = 13, First = 16;

    private readonly ushort[] _numbers = [.. Enumerable.Range(0, 64).Select(i => (ushort)(i * 1000))];
    private readonly byte[] _next = [.. Enumerable.Range(0, 64).Select(i => (byte)(i * 7 % 64))];

    public Counter Known { get; } = new();

    public Counter Searched { get; } = new();

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        frame.Reply();
        var hash = 5381u;
        for (var at = First; at < bytes.Length && bytes[at] != 0; at++) hash = hash * 33 ^ bytes[at];
        if ((hash & 0xC0) == 0)
        {
            Known.Increment();
            bytes[Kind] = (byte)(_numbers[hash & 63] >> 4);
            return;
        }
        Searched.Increment();
        var number = (int)(hash & 63);
        for (var turns = hash >> 8 & 63; turns > 0; turns--) number = _next[number];
        bytes[Kind] = (byte)number;
    }
}

/// <summary>
/// Answers who asks for a word and tells something of it, each thing by its length, by the number of the word. The word
/// is no unit's: its hash is a polynomial of which the factor is another in each turn. What is told stands behind it.
/// </summary>
public sealed class WordNotes : Service
{
    private const int Kind = 13, Answer = 14, First = 16;
    private const byte Ask = 1, Unreadable = 2, Unknown = 3, Known = 4;
    private const uint Factor = 0x9E37_79B1;

    private readonly ushort[] _buckets;
    private readonly uint[] _hashes;

    public WordNotes()
    {
        _hashes = [.. WordIndex.Words.Append("").Select(HashOf).OrderBy(Bucket)];
        _buckets = [.. Enumerable.Range(0, 17).Select(i => (ushort)_hashes.Count(hash => Bucket(hash) < i))];
    }

    public Counter Answers { get; } = new();

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        if (bytes[Kind] != Ask)
        {
            frame.Flood();
            return;
        }
        frame.Reply();
        var (hash, factor, at) = (0u, 1u, First);
        for (; at < bytes.Length && bytes[at] != 0; at++)
        {
            hash += bytes[at] * factor;
            factor *= Factor;
        }
        if (!TryReadNotes(bytes, at + 1, out var last))
        {
            bytes[Kind] = Unreadable;
            return;
        }
        var number = Find(hash);
        bytes[Kind] = number < 0 ? Unknown : Known;
        bytes[Answer] = (byte)(number + last);
        Answers.Increment();
    }

    /// <summary>Each thing that is told is its length, and so many bytes; the last has none.</summary>
    private static bool TryReadNotes(ReadOnlySpan<byte> bytes, int at, out byte last)
    {
        last = 0;
        while (at < bytes.Length)
        {
            var length = bytes[at];
            if (length == 0) return true;
            last = length;
            at += length + 1;
        }
        return false;
    }

    private static uint HashOf(string word)
    {
        var (hash, factor) = (0u, 1u);
        foreach (var letter in word)
        {
            hash += letter * factor;
            factor *= Factor;
        }
        return hash;
    }

    private int Find(uint hash)
    {
        var bucket = Bucket(hash);
        for (int i = _buckets[bucket]; i < _buckets[bucket + 1]; i++)
            if (_hashes[i] == hash) return i;
        return -1;
    }

    private static int Bucket(uint hash) => (int)(hash >> 28);
}
