using Emu.Protocols;
using static System.Buffers.Binary.BinaryPrimitives;

namespace Emu.Services;

/// <summary>
/// An answer: a list of its parts, which are put together in one place (gathering, as of <c>writev</c>).
/// </summary>
internal sealed class Message(Items items)
{
    private const int MaxParts = 128;

    /// <summary>The longest is an item's: its line or its header, its key, its value and END.</summary>
    private const int MaxLength = 2784;

    private const int NoHeader = -1;

    private readonly Part[] _parts = new Part[MaxParts];
    private readonly byte[] _bytes = new byte[MaxLength];
    private readonly Texts _texts = new(Phrases.All());
    private readonly Digits _digits = new();
    private int _count, _header;

    /// <summary>Its bytes.</summary>
    public int Length { get; private set; }

    /// <summary>All of it.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, Length);

    /// <summary>The fields of its headers, where it is of the binary protocol.</summary>
    public BinaryHeader Header { get; } = new();

    /// <summary>Begins an answer.</summary>
    public void Clear() => _count = 0;

    /// <summary>Adds a part.</summary>
    public void Add(PartKind kind, ulong number = 0) => _parts[_count++] = new Part(kind, number);

    /// <summary>Adds a text, one of <see cref="Phrases"/>.</summary>
    public void AddText(int phrase) => Add(PartKind.Text, (ulong)phrase);

    /// <summary>Adds a header of the binary protocol in front of a body.</summary>
    public void AddHeader(int keyLength, int extrasLength) =>
        Add(PartKind.Header, (ulong)(extrasLength << 16 | keyLength));

    /// <summary>The bytes of a text.</summary>
    public int LengthOf(int phrase) => _texts.LengthOf(phrase);

    /// <summary>Puts the parts together.</summary>
    /// <param name="key">The key of the command.</param>
    public void Gather(ReadOnlySpan<byte> key)
    {
        (Length, _header) = (0, NoHeader);
        for (var i = 0; i < _count; i++)
        {
            var part = _parts[i];
            switch (part.Kind)
            {
                case PartKind.Text:
                    Append(_texts[(int)part.Number]);
                    break;
                case PartKind.Decimal:
                    _digits.Write(part.Number);
                    Append(_digits.Text);
                    break;
                case PartKind.UInt32:
                    WriteUInt32BigEndian(Extend(sizeof(uint)), (uint)part.Number);
                    break;
                case PartKind.UInt64:
                    WriteUInt64BigEndian(Extend(sizeof(ulong)), part.Number);
                    break;
                case PartKind.Key:
                    Append(key);
                    break;
                case PartKind.Value:
                    items.ReadValue(Extend(items.CurrentLength));
                    break;
                case PartKind.Header:
                    EndBody();
                    _header = Length;
                    Header.Write(Extend(MemcachedMessage.HeaderLength), part.Number);
                    break;
            }
        }
        EndBody();
    }

    /// <summary>Says in the header how long the body has become.</summary>
    private void EndBody()
    {
        if (_header == NoHeader) return;
        var message = _bytes.AsSpan(_header, Length - _header);
        if (MemcachedMessage.TryParse(message, out var answer))
            answer.BodyLength = (uint)(message.Length - MemcachedMessage.HeaderLength);
    }

    private void Append(ReadOnlySpan<byte> bytes) => bytes.CopyTo(Extend(bytes.Length));

    /// <summary>Makes room at its end.</summary>
    /// <returns>The room, to be written.</returns>
    private Span<byte> Extend(int length)
    {
        var room = _bytes.AsSpan(Length, length);
        Length += length;
        return room;
    }
}
