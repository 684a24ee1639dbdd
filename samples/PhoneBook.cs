using System.Numerics;
using System.Text;
using Emu.Protocols;

namespace Emu.Samples;

/// <summary>A phone book over UDP: who sends a name gets it back with the number behind it.</summary>
/// <remarks>
/// A question is 16 bytes that the client knows its answer by, and the name, in any case. The answer is the question
/// and the text of the name's entry. Names that are not in the book get no answer. The host around it answers ARP.
/// </remarks>
/// <example>--address 10.0.0.2 --entry alice=+49-30-901820 --entry bob=+44-20-79460958</example>
public sealed class PhoneBook : Service, IUdpApplication
{
    private const int IdentifierLength = 16;
    private readonly IPHost _host;
    private readonly byte[] _names;
    private readonly byte[] _texts;
    private readonly BookEntry[] _entries;
    private readonly PerfectHash _hash;

    /// <summary>Begins with all entries.</summary>
    /// <param name="address">The address at which questions come.</param>
    /// <param name="entry">The entries, each a name, '=' and its text.</param>
    /// <param name="port">The port at which they do.</param>
    /// <param name="mac">The MAC address; when absent 02:00 and the IPv4 address, so that hosts differ.</param>
    public PhoneBook(IPv4Address address, string[] entry, ushort port = 4000, MacAddress mac = default)
    {
        ArgumentNullException.ThrowIfNull(entry);
        _host = new IPHost(address, mac).Udp(port, this);
        List<(byte[] Name, byte[] Text)> entries = [.. entry.Select(Read)];
        _hash = new PerfectHash([.. entries.Select(each => HashOf(each.Name))]);
        _names = [.. entries.SelectMany(each => each.Name)];
        _texts = [.. entries.SelectMany(each => each.Text)];
        _entries = new BookEntry[_hash.Count];
        var (start, textStart) = (0, 0);
        foreach (var (name, text) in entries)
        {
            _entries[_hash.IndexOf(HashOf(name))] = new BookEntry(
                (ushort)start, (byte)name.Length, (ushort)textStart, (byte)text.Length,
                (ushort)InternetChecksum.Sum(text));
            (start, textStart) = (start + name.Length, textStart + text.Length);
        }
    }

    /// <summary>Names found in the book.</summary>
    public Counter Found { get; } = new();

    /// <summary>Names that are not in it, and questions without a name.</summary>
    public Counter NotFound { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame) => _host.Receive(ref frame);

    /// <inheritdoc/>
    public void Receive(ref Frame frame, UdpDatagram datagram)
    {
        var question = frame.Bytes.Slice(datagram.Offset, datagram.Length);
        if (question.Length <= IdentifierLength || !TryFind(question[IdentifierLength..], out var entry))
        {
            NotFound.Increment();
            return;
        }
        Found.Increment();
        var sum = InternetChecksum.Sum(question) + InternetChecksum.Behind(question.Length, entry.TextSum);
        datagram.Reply(ref frame, datagram.Length + entry.TextLength, sum);
        var text = _texts.AsSpan(entry.TextStart, entry.TextLength);
        text.CopyTo(frame.Bytes[(datagram.Offset + datagram.Length)..]);
    }

    private bool TryFind(ReadOnlySpan<byte> name, out BookEntry entry)
    {
        var hash = 0u;
        foreach (var octet in name) hash = Next(hash, Fold(octet));
        entry = _entries[_hash.IndexOf(Mixed(hash))];
        if (entry.TextLength == 0 || entry.Length != name.Length) return false;
        for (var i = 0; i < entry.Length; i++)
            if (Fold(name[i]) != _names[entry.Start + i]) return false;
        return true;
    }

    /// <summary>A letter is small.</summary>
    private static byte Fold(byte octet) => octet is >= (byte)'A' and <= (byte)'Z' ? (byte)(octet | 0x20) : octet;

    private static (byte[] Name, byte[] Text) Read(string entry)
    {
        var (name, text) = (Encoding.ASCII.GetBytes(entry.Split('=')[0].ToLowerInvariant()), entry.IndexOf('=') + 1);
        byte[] bytes = text == 0 ? [] : Encoding.UTF8.GetBytes(entry[text..]);
        return name.Length is > 0 and < 256 && bytes.Length is > 0 and < 256
            ? (name, bytes)
            : throw new ArgumentException($"'{entry}' is no entry: NAME=TEXT, each of 1 to 255 bytes");
    }

    /// <summary>The hash of a name and a letter behind it, before it is mixed.</summary>
    private static uint Next(uint hash, byte letter) => BitOperations.RotateLeft(hash, 5) ^ letter;

    /// <summary>All bits of a hash in all others, by the golden ratio (Knuth 1998, §6.4).</summary>
    private static uint Mixed(uint hash) => hash * 0x9E37_79B1;

    private static uint HashOf(byte[] name) => Mixed(name.Aggregate(0u, Next));
}

/// <summary>An entry of a <see cref="PhoneBook"/>.</summary>
/// <param name="Start">The first byte of its name among those of all names.</param>
/// <param name="Length">The bytes of its name.</param>
/// <param name="TextStart">The first byte of its text among those of all texts.</param>
/// <param name="TextLength">The bytes of its text; 0 in a slot without an entry.</param>
/// <param name="TextSum">The ones' complement sum of its text.</param>
internal readonly record struct BookEntry(
    ushort Start, byte Length, ushort TextStart, byte TextLength, ushort TextSum);
