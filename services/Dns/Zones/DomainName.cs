using System.Globalization;
using System.Text;

namespace Emu.Services.Zones;

/// <summary>
/// A domain name as it is on the wire (RFC 1035 §3.1), in the case of who wrote it; names are equal whatever their case
/// (RFC 4343).
/// </summary>
internal sealed class DomainName : IEquatable<DomainName>
{
    private const int MaxLength = 255;
    private const int MaxLabelLength = 63;

    /// <summary>The name of the root.</summary>
    public static readonly DomainName Root = new([0]);

    private readonly string _folded;

    private DomainName(byte[] wire)
    {
        Wire = wire;
        Folded = [.. wire.Select(Fold)];
        _folded = Encoding.Latin1.GetString(Folded);
    }

    /// <summary>The labels with their lengths, and the root's length of 0.</summary>
    public byte[] Wire { get; }

    /// <summary><see cref="Wire"/> in lower case.</summary>
    public byte[] Folded { get; }

    /// <summary>True if there is no label.</summary>
    public bool IsRoot => Wire.Length == 1;

    /// <summary>True if the first label is an asterisk (RFC 4592 §2.1.1).</summary>
    public bool IsWildcard => Wire is [1, (byte)'*', ..];

    /// <summary>The name without its first label; the root is its own.</summary>
    public DomainName Parent => IsRoot ? this : new DomainName(Wire[(Wire[0] + 1)..]);

    /// <summary>The name and those that end it, up to the root.</summary>
    public IEnumerable<DomainName> Suffixes()
    {
        var name = this;
        for (; !name.IsRoot; name = name.Parent) yield return name;
        yield return name;
    }

    /// <summary>The asterisk below this name.</summary>
    public DomainName Wildcard => new([1, (byte)'*', .. Wire]);

    /// <summary>True for the name itself and names below it.</summary>
    public bool IsIn(DomainName zone) => Suffixes().Contains(zone);

    /// <summary>Reads a name of a master file (RFC 1035 §5.1).</summary>
    /// <param name="text">The name, with its escapes.</param>
    /// <param name="origin">The end of a name without a dot at its end; null if there is none.</param>
    /// <exception cref="FormatException">It is no name.</exception>
    public static DomainName Parse(string text, DomainName? origin)
    {
        if (text == "@") return origin ?? throw new FormatException("'@' without an origin: write $ORIGIN before it");
        if (text == ".") return Root;
        var wire = new List<byte>();
        var label = new List<byte>();
        for (var at = 0; at < text.Length;)
        {
            if (text[at] == '.')
            {
                Append(wire, label, text);
                at++;
            }
            else label.Add(NextByte(text, ref at));
        }
        var isAbsolute = label.Count == 0;
        if (!isAbsolute) Append(wire, label, text);
        var end = isAbsolute
            ? Root.Wire
            : origin?.Wire ?? throw new FormatException($"'{text}' is relative, and there is no origin");
        return wire.Count + end.Length <= MaxLength
            ? new DomainName([.. wire, .. end])
            : throw new FormatException($"'{text}' is longer than {MaxLength} bytes");
    }

    /// <summary>Takes a character, or what an escape stands for: \X, or \DDD in decimal.</summary>
    public static byte NextByte(string text, ref int at)
    {
        var first = text[at++];
        if (first != '\\')
            return first <= byte.MaxValue ? (byte)first : throw new FormatException($"'{first}' is no ASCII");
        if (at >= text.Length) throw new FormatException($"'{text}' ends in an escape");
        if (!char.IsAsciiDigit(text[at])) return (byte)text[at++];
        if (at + 3 > text.Length
            || !byte.TryParse(text.AsSpan(at, 3), NumberStyles.None, CultureInfo.InvariantCulture, out var code))
            throw new FormatException($"'{text}': three digits up to 255 stand behind '\\'");
        at += 3;
        return code;
    }

    /// <summary>A byte of a name as it is compared.</summary>
    public static byte Fold(byte value) => value is >= (byte)'A' and <= (byte)'Z' ? (byte)(value | 0x20) : value;

    /// <inheritdoc/>
    public bool Equals(DomainName? other) => other is not null && other._folded == _folded;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as DomainName);

    /// <inheritdoc/>
    public override int GetHashCode() => _folded.GetHashCode(StringComparison.Ordinal);

    /// <inheritdoc/>
    public override string ToString()
    {
        if (IsRoot) return ".";
        var text = new StringBuilder();
        for (var at = 0; Wire[at] != 0; at += Wire[at] + 1)
            text.Append(Encoding.Latin1.GetString(Wire, at + 1, Wire[at])).Append('.');
        return text.ToString();
    }

    private static void Append(List<byte> wire, List<byte> label, string text)
    {
        if (label.Count is 0 or > MaxLabelLength)
            throw new FormatException($"'{text}': a label has 1 to {MaxLabelLength} bytes");
        wire.Add((byte)label.Count);
        wire.AddRange(label);
        label.Clear();
    }
}
