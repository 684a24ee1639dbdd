using System.Buffers.Binary;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Emu.Services.Zones;

/// <summary>Reads the data of a record from the words of a master file.</summary>
/// <param name="words">The words behind the type.</param>
/// <param name="origin">The end of relative names.</param>
internal sealed class RecordData(IReadOnlyList<Word> words, DomainName? origin)
{
    private const int MaxStringLength = 255;

    private int _next;

    /// <summary>The data, and the name that it leads to.</summary>
    /// <exception cref="FormatException">The words are no data of the type.</exception>
    public (IReadOnlyList<DataPart> Parts, DomainName? Target) Read(ushort type)
    {
        var isGeneric = words is [{ Text: @"\#", IsQuoted: false }, ..];
        DomainName? target = null;
        IReadOnlyList<DataPart> parts = isGeneric ? [new DataPart(Generic())] : type switch
        {
            RecordType.A => [new DataPart(Address(AddressFamily.InterNetwork))],
            RecordType.Aaaa => [new DataPart(Address(AddressFamily.InterNetworkV6))],
            RecordType.NS or RecordType.Cname or RecordType.Ptr => [new DataPart([], target = Name())],
            RecordType.MX => [new DataPart(UInt16()), new DataPart([], target = Name())],
            // RFC 2782: the target is not compressed.
            RecordType.Srv => [new DataPart([.. UInt16(), .. UInt16(), .. UInt16(), .. (target = Name()).Wire])],
            RecordType.Txt or RecordType.Hinfo => [new DataPart([.. Strings()])],
            RecordType.Soa =>
            [
                new DataPart([], Name()), new DataPart([], Name()),
                new DataPart([.. UInt32(), .. Seconds(), .. Seconds(), .. Seconds(), .. Seconds()]),
            ],
            _ => throw new FormatException($@"the data of TYPE{type} is written as \# LENGTH HEXADECIMAL (RFC 3597)"),
        };
        if (_next < words.Count) throw new FormatException($"'{words[_next].Text}' is too much");
        return (parts, target);
    }

    /// <summary>A number of seconds, or of units: 1h30m.</summary>
    public static bool TryParseSeconds(string text, out uint seconds)
    {
        seconds = 0;
        ulong total = 0, number = 0;
        var hasDigit = false;
        foreach (var c in text)
        {
            if (char.IsAsciiDigit(c))
            {
                number = Math.Min(number * 10 + (ulong)(c - '0'), uint.MaxValue + 1UL);
                hasDigit = true;
                continue;
            }
            var unit = "smhdw".IndexOf(char.ToLowerInvariant(c), StringComparison.Ordinal);
            if (unit < 0 || !hasDigit) return false;
            total += number * (ulong)new[] { 1, 60, 3600, 86_400, 604_800 }[unit];
            (number, hasDigit) = (0, false);
        }
        total += number;
        if (text.Length == 0 || !char.IsAsciiDigit(text[0]) || total > int.MaxValue) return false;
        seconds = (uint)total;
        return true;
    }

    private string Next() =>
        _next < words.Count ? words[_next++].Text : throw new FormatException("the data ends too early");

    private DomainName Name() => DomainName.Parse(Next(), origin);

    private byte[] Address(AddressFamily family)
    {
        var text = Next();
        return IPAddress.TryParse(text, out var address) && address.AddressFamily == family
            && (family == AddressFamily.InterNetworkV6 || text.Count(c => c == '.') == 3)
            ? address.GetAddressBytes()
            : throw new FormatException(
                $"'{text}' is no {(family == AddressFamily.InterNetwork ? "IPv4" : "IPv6")} address");
    }

    private byte[] UInt16()
    {
        var bytes = new byte[sizeof(ushort)];
        var text = Next();
        if (!ushort.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number))
            throw new FormatException($"'{text}' is no number up to {ushort.MaxValue}");
        BinaryPrimitives.WriteUInt16BigEndian(bytes, number);
        return bytes;
    }

    private byte[] UInt32()
    {
        var bytes = new byte[sizeof(uint)];
        var text = Next();
        if (!uint.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number))
            throw new FormatException($"'{text}' is no number up to {uint.MaxValue}");
        BinaryPrimitives.WriteUInt32BigEndian(bytes, number);
        return bytes;
    }

    private byte[] Seconds()
    {
        var bytes = new byte[sizeof(uint)];
        var text = Next();
        if (!TryParseSeconds(text, out var seconds)) throw new FormatException($"'{text}' is no number of seconds");
        BinaryPrimitives.WriteUInt32BigEndian(bytes, seconds);
        return bytes;
    }

    private IEnumerable<byte> Strings()
    {
        if (words.Count == 0) throw new FormatException("a string is missing");
        while (_next < words.Count)
        {
            var text = Next();
            var bytes = new List<byte>();
            for (var at = 0; at < text.Length;) bytes.Add(DomainName.NextByte(text, ref at));
            if (bytes.Count > MaxStringLength)
                throw new FormatException($"a string is longer than {MaxStringLength} bytes");
            yield return (byte)bytes.Count;
            foreach (var value in bytes) yield return value;
        }
    }

    /// <summary>RFC 3597 §5.</summary>
    private byte[] Generic()
    {
        _next = 1;
        var length = BinaryPrimitives.ReadUInt16BigEndian(UInt16());
        var digits = string.Concat(words.Skip(_next).Select(word => word.Text));
        _next = words.Count;
        if (digits.Length != 2 * length || !digits.All(char.IsAsciiHexDigit))
            throw new FormatException($@"behind \# {length} stand {2 * length} hexadecimal digits");
        return Convert.FromHexString(digits);
    }
}
