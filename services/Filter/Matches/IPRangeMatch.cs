namespace Emu.Services;

/// <summary><c>-m iprange</c>: addresses from one to another.</summary>
internal sealed class IPRangeMatch(IPFamily family) : Match
{
    private static readonly RuleOption[] s_options = [new("--src-range"), new("--dst-range")];

    private Range? _source, _destination;

    public override string Name => "iprange";

    public override IReadOnlyList<RuleOption> Options => s_options;

    public override void Take(string option, bool isNegated, RuleWords words)
    {
        Once(option);
        var ends = words.Value(option).Split('-');
        if (ends.Length > 2) throw new RuleException($"{option}: write a range as FIRST-LAST");
        var range = new Range(
            AddressPrefix.ParseAddress(family, ends[0]), AddressPrefix.ParseAddress(family, ends[^1]), isNegated);
        if (range.Last < range.First)
            throw new RuleException(
                $"{option}: the range is backwards and would match nothing; write {ends[1]}-{ends[0]}");
        if (option == "--src-range") _source = range;
        else _destination = range;
    }

    public override void Check(Rule rule)
    {
        if (_source is null && _destination is null)
            throw new RuleException("iprange match: you must specify `--src-range' or `--dst-range'");
    }

    public override string Save() => Save("--src-range", _source) + Save("--dst-range", _destination);

    public override string List() => List("source", _source) + List("destination", _destination);

    public override void AddTo(Clauses clauses)
    {
        if (_source is { } source)
            clauses.AddRange(family, source.First, source.Last, source.IsNegated, Field.Source, Field.SourceHigh);
        if (_destination is { } to)
            clauses.AddRange(family, to.First, to.Last, to.IsNegated, Field.Destination, Field.DestinationHigh);
    }

    private string Save(string option, Range? range) => range is { } r ? $"{Not(r.IsNegated)} {option} {Text(r)}" : "";

    private string List(string which, Range? range) =>
        range is { } r ? $" {which} IP range{Not(r.IsNegated)} {Text(r)}" : "";

    private string Text(Range range) =>
        $"{AddressPrefix.Text(family, range.First)}-{AddressPrefix.Text(family, range.Last)}";

    private readonly record struct Range(UInt128 First, UInt128 Last, bool IsNegated);
}
