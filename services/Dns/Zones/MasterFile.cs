namespace Emu.Services.Zones;

/// <summary>Reads the records of a zone from a master file (RFC 1035 §5; TTLs: RFC 2308 §4).</summary>
internal sealed class MasterFile
{
    private const int MaxIncludes = 8;

    private readonly List<ResourceRecord> _records = [];
    private DomainName? _owner;
    private uint? _defaultTtl;
    private uint? _lastTtl;

    private MasterFile()
    {
    }

    /// <summary>Reads a file, and those that it includes.</summary>
    /// <param name="path">The file.</param>
    /// <exception cref="ArgumentException">It cannot be read, or is no master file: file, line and reason.</exception>
    public static IReadOnlyList<ResourceRecord> Read(string path)
    {
        var file = new MasterFile();
        file.Read(path, null, MaxIncludes);
        return file._records;
    }

    private void Read(string path, DomainName? origin, int includes)
    {
        var number = 0;
        try
        {
            foreach (var line in MasterFileLine.Read(File.ReadAllText(path, System.Text.Encoding.Latin1)))
            {
                number = line.Number;
                if (line.BeginsBlank || !line.Words[0].Text.StartsWith('$')) Record(line, origin);
                else Directive(line.Words, path, ref origin, includes);
            }
        }
        catch (FormatException error)
        {
            throw new ArgumentException(
                $"{path}{(error.Message.StartsWith("line ", StringComparison.Ordinal) ? ", " : $", line {number}: ")}"
                + error.Message, error);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new ArgumentException($"{path} cannot be read: {error.Message}", error);
        }
    }

    private void Directive(IReadOnlyList<Word> words, string path, ref DomainName? origin, int includes)
    {
        var name = words[0].Text.ToUpperInvariant();
        if (words.Count < 2) throw new FormatException($"{name} needs a value");
        if (name == "$ORIGIN") origin = DomainName.Parse(words[1].Text, origin);
        else if (name == "$TTL")
        {
            _defaultTtl = RecordData.TryParseSeconds(words[1].Text, out var ttl)
                ? ttl
                : throw new FormatException($"'{words[1].Text}' is no number of seconds");
        }
        else if (name == "$INCLUDE")
        {
            if (includes == 0) throw new FormatException($"more than {MaxIncludes} files include one another");
            var file = Path.Combine(Path.GetDirectoryName(Path.GetFullPath(path))!, words[1].Text);
            Read(file, words.Count > 2 ? DomainName.Parse(words[2].Text, origin) : origin, includes - 1);
        }
        else throw new FormatException($"{name} is not supported; there are $ORIGIN, $TTL and $INCLUDE");
    }

    private void Record(MasterFileLine line, DomainName? origin)
    {
        var words = line.Words;
        var at = 0;
        if (!line.BeginsBlank) _owner = DomainName.Parse(words[at++].Text, origin);
        if (_owner is null) throw new FormatException("the first record has no owner");
        uint? ttl = null;
        for (; at < words.Count; at++)
        {
            var text = words[at].Text;
            if (ttl is null && RecordData.TryParseSeconds(text, out var seconds)) ttl = seconds;
            else if (text.Equals("CH", StringComparison.OrdinalIgnoreCase)
                || text.Equals("HS", StringComparison.OrdinalIgnoreCase))
                throw new FormatException($"class {text} is not supported; zones are of class IN");
            else if (!text.Equals("IN", StringComparison.OrdinalIgnoreCase)) break;
        }
        if (at >= words.Count) throw new FormatException("a type is missing");
        if (!RecordType.TryParse(words[at].Text, out var type))
            throw new FormatException(
                $"'{words[at].Text}' is no type that is known here; "
                + "any can be written as TYPE and its number (RFC 3597)");
        var (parts, target) = new RecordData([.. words.Skip(at + 1)], origin).Read(type);
        // Without a TTL the record's is the default, or that of the record before; a first SOA's own minimum.
        var known = ttl ?? _defaultTtl ?? _lastTtl
            ?? (type == RecordType.Soa
                ? Zone.MinimumOf(parts)
                : throw new FormatException("a TTL is missing: write $TTL"));
        _lastTtl = known;
        _records.Add(new ResourceRecord(_owner, type, known, parts) { Target = target });
    }
}
