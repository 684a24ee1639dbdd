using System.Numerics;

namespace Emu.Services.Zones;

/// <summary>A question that has an answer of its own.</summary>
/// <param name="Start">The first of its bytes among those of all questions.</param>
/// <param name="Length">Its bytes; 0 in a slot without one.</param>
/// <param name="Answer">The answer.</param>
internal readonly record struct KnownQuestion(int Start, ushort Length, PreparedAnswer Answer);

/// <summary>
/// Questions as they are on the wire, name, type and class in one piece, by one hash: the answers to what exists, in
/// one step. Everything else is for the <see cref="NameTable"/>.
/// </summary>
/// <remarks>
/// The whole of a question is compared in lower case. So a question is not here whose type has a byte that is a letter.
/// Nor is one whose answer was prepared for a shorter name, so that its pointers would have to be moved.
/// </remarks>
internal sealed class QuestionTable
{
    private const ushort ClassIN = 1;
    private const int MostRotations = 32;

    private readonly byte[] _bytes;
    private readonly KnownQuestion[] _slots;
    private readonly PerfectHash _hash;
    private readonly int _rotation;

    /// <summary>Begins with all questions.</summary>
    /// <param name="answers">A name, a type and the answer, each pair of the first two once.</param>
    /// <param name="mostBytes">The bytes of a message in which a question and its answer have room.</param>
    public QuestionTable(IEnumerable<(DomainName Name, ushort Type, PreparedAnswer Answer)> answers, int mostBytes)
    {
        List<(byte[] Bytes, PreparedAnswer Answer)> questions =
        [
            .. answers.Where(each => each.Answer.NameLength == each.Name.Wire.Length)
                .Where(each => !IsLetter((byte)(each.Type >> 8)) && !IsLetter((byte)each.Type))
                .Select(each => (Question(each.Name, each.Type), each.Answer))
                .Where(each => each.Item1.Length + each.Answer.FullLength <= mostBytes),
        ];
        // Two questions may have one hash by one rotation, but seldom by several. In a zone of 100,000 names there may
        // be some by any: of them the first is here.
        _rotation = Enumerable.Range(0, MostRotations / 2).Select(i => (2 * i + 5) % MostRotations).MaxBy(rotation =>
            questions.Select(each => HashOf(each.Bytes, rotation)).Distinct().Count());
        questions = [.. questions.DistinctBy(each => HashOf(each.Bytes, _rotation))];
        _hash = new PerfectHash([.. questions.Select(each => HashOf(each.Bytes, _rotation))]);
        _slots = new KnownQuestion[_hash.Count];
        var start = 0;
        foreach (var (bytes, answer) in questions)
        {
            _slots[_hash.IndexOf(HashOf(bytes, _rotation))] = new KnownQuestion(start, (ushort)bytes.Length, answer);
            start += bytes.Length;
        }
        _bytes = [.. questions.SelectMany(each => each.Bytes)];
    }

    /// <summary>Finds the answer to a question.</summary>
    /// <param name="question">The bytes of its name, in any case, of its type and of its class.</param>
    /// <param name="answer">The answer; not to be used if there is none.</param>
    /// <returns>False if the question is not here.</returns>
    public bool TryFind(ReadOnlySpan<byte> question, out PreparedAnswer answer)
    {
        var hash = 0u;
        foreach (var octet in question) hash = Next(hash, DomainName.Fold(octet), _rotation);
        var known = _slots[_hash.IndexOf(Mixed(hash))];
        answer = known.Answer;
        return known.Length == question.Length && IsAt(question, known.Start);
    }

    private bool IsAt(ReadOnlySpan<byte> question, int start)
    {
        for (var i = 0; i < question.Length; i++)
            if (DomainName.Fold(question[i]) != _bytes[start + i]) return false;
        return true;
    }

    private static byte[] Question(DomainName name, ushort type) =>
        [.. name.Folded, (byte)(type >> 8), (byte)type, ClassIN >> 8, (byte)ClassIN];

    private static bool IsLetter(byte octet) => (octet | 0x20) is >= (byte)'a' and <= (byte)'z';

    /// <summary>A hash and a byte behind it, before it is mixed (cyclic polynomial, Cohen 1997).</summary>
    private static uint Next(uint hash, byte octet, int rotation) => BitOperations.RotateLeft(hash, rotation) ^ octet;

    /// <summary>By the golden ratio (Knuth 1998, <i>Sorting and searching</i>, §6.4).</summary>
    private static uint Mixed(uint hash) => hash * 0x9E37_79B1;

    private static uint HashOf(byte[] question, int rotation) =>
        Mixed(question.Aggregate(0u, (hash, octet) => Next(hash, octet, rotation)));
}
