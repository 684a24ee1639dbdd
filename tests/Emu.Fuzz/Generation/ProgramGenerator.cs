using System.Text;

namespace Emu.Fuzz;

/// <summary>
/// Writes a random service: typed, always terminating, inside the compiled subset. Faults are part of it: indexes,
/// slices, divisions and checked sums that now and then do not work out, between writes that must stand.
/// </summary>
internal sealed partial class ProgramGenerator
{
    private readonly Random _random;
    private readonly StringBuilder _text = new();
    private readonly List<(string Name, NumberType Type)> _fields = [];
    private readonly List<(string Name, NumberType Type, int Length, bool IsRom)> _arrays = [];
    private readonly List<(string Name, NumberType Type, bool IsFixed)> _locals = [];
    private readonly List<(string Name, NumberType Result, NumberType[] Parameters)> _methods = [];
    private readonly NumberType[] _members;
    private readonly NumberType _unit;
    private int _structs;
    private bool _hasUnits;
    private bool _hasTables;
    private bool _hasFrame;
    private int _indent = 1;
    private int _names;
    private int _loops;

    /// <param name="seed">Equal programs for equal seeds.</param>
    /// <param name="onlyCounts">True if frames share nothing but counters.</param>
    private ProgramGenerator(ulong seed, bool onlyCounts)
    {
        _random = new Random(unchecked((int)SplitMix64.Draw(seed, 0)));
        _onlyCounts = onlyCounts;
        _isHeaderWork = !onlyCounts && IsHeaderWork(seed);
        if (_isHeaderWork)
            (_changesFrame, _resizes, _walksPayload) =
                (_random.Next(3) == 0, _random.Next(10) == 0, _random.Next(10) == 0);
        _hasSlowPath = _isHeaderWork && _random.Next(4) == 0;
        _movesFrame = _isHeaderWork && MovesFrame(seed);
        _foldsPayload = _isHeaderWork && FoldsPayload(seed);
        _walksLengths = _isHeaderWork && WalksLengths(seed);
        _classifies = _isHeaderWork && Classifies(seed);
        _passesOver = _isHeaderWork && PassesOver(seed);
        _sumsWalked = _isHeaderWork && SumsWalked(seed);
        _mapsPayload = _isHeaderWork && MapsPayload(seed);
        _shiftsFrame = _isHeaderWork && ShiftsFrame(seed);
        _looksUp = _isHeaderWork && LooksUp(seed);
        _loadsText = _isHeaderWork && LoadsText(seed);
        _writesParsed = _isHeaderWork && WritesParsed(seed);
        _searches = _isHeaderWork && Searches(seed);
        _readsTexts = _isHeaderWork && ReadsTexts(seed);
        _sendsCopies = SplitMix64.Draw(seed, 4) % 2 == 0;
        _members = [Any(Types), Any(Types)];
        _unit = Any(Types);
    }

    /// <summary>True if the program of a seed is shaped to become a pipeline: two of three.</summary>
    public static bool IsHeaderWork(ulong seed) => SplitMix64.Draw(seed, 2) % 3 != 0;

    /// <summary>True if the program of a seed moves the frame's bytes about: one of twelve.</summary>
    public static bool MovesFrame(ulong seed) => IsHeaderWork(seed) && SplitMix64.Draw(seed, 3) % 8 == 0;

    /// <summary>True if the program of a seed goes over the frame's payload in a loop: some of the others.</summary>
    public static bool FoldsPayload(ulong seed) =>
        IsHeaderWork(seed) && !MovesFrame(seed) && SplitMix64.Draw(seed, 5) % 8 == 0;

    /// <summary>True if that loop goes on by lengths that it has read: one of four.</summary>
    public static bool WalksLengths(ulong seed) => FoldsPayload(seed) && SplitMix64.Draw(seed, 6) % 4 == 0;

    /// <summary>True if that loop asks a table for what it has read: one of two.</summary>
    public static bool Classifies(ulong seed) => FoldsPayload(seed) && SplitMix64.Draw(seed, 14) % 2 == 0;

    /// <summary>True if that loop does not read some of the bytes that it goes over: one of four.</summary>
    public static bool PassesOver(ulong seed) =>
        FoldsPayload(seed) && !WalksLengths(seed) && SplitMix64.Draw(seed, 15) % 4 == 0;

    /// <summary>True if a checksum covers what that loop has gone over: one of four.</summary>
    public static bool SumsWalked(ulong seed) => FoldsPayload(seed) && SplitMix64.Draw(seed, 16) % 4 == 0;

    /// <summary>True if the program of a seed writes the frame's payload in a loop: some of the others.</summary>
    public static bool MapsPayload(ulong seed) =>
        IsHeaderWork(seed) && !MovesFrame(seed) && !FoldsPayload(seed) && SplitMix64.Draw(seed, 7) % 8 == 0;

    /// <summary>
    /// True if the program of a seed takes a number of bytes out of the frame that is computed: some of the others.
    /// </summary>
    public static bool ShiftsFrame(ulong seed) =>
        IsHeaderWork(seed) && !MovesFrame(seed) && !FoldsPayload(seed) && !MapsPayload(seed)
        && SplitMix64.Draw(seed, 8) % 8 == 0;

    /// <summary>
    /// True if the program of a seed goes over the payload again, with what a table says of it: some of the others.
    /// </summary>
    public static bool LooksUp(ulong seed) =>
        IsHeaderWork(seed) && !MovesFrame(seed) && !FoldsPayload(seed) && !MapsPayload(seed) && !ShiftsFrame(seed)
        && SplitMix64.Draw(seed, 9) % 8 == 0;

    /// <summary>True if the program of a seed copies a table into the frame: some of the others.</summary>
    public static bool LoadsText(ulong seed) =>
        IsHeaderWork(seed) && !MovesFrame(seed) && !FoldsPayload(seed) && !MapsPayload(seed) && !ShiftsFrame(seed)
        && !LooksUp(seed) && SplitMix64.Draw(seed, 10) % 8 == 0;

    /// <summary>
    /// True if the program of a seed parses options and writes them, or counts and sums payloads: some of the others.
    /// </summary>
    public static bool WritesParsed(ulong seed) =>
        IsHeaderWork(seed) && !MovesFrame(seed) && !FoldsPayload(seed) && !MapsPayload(seed) && !ShiftsFrame(seed)
        && !LooksUp(seed) && !LoadsText(seed) && SplitMix64.Draw(seed, 11) % 8 == 0;

    /// <summary>
    /// True if the program of a seed searches for what a loop over the payload has found: some of the others.
    /// </summary>
    public static bool Searches(ulong seed) =>
        IsHeaderWork(seed) && !MovesFrame(seed) && !FoldsPayload(seed) && !MapsPayload(seed) && !ShiftsFrame(seed)
        && !LooksUp(seed) && !LoadsText(seed) && !WritesParsed(seed) && SplitMix64.Draw(seed, 12) % 8 == 0;

    /// <summary>True if the program of a seed parses a text: some of the others.</summary>
    public static bool ReadsTexts(ulong seed) =>
        IsHeaderWork(seed) && !MovesFrame(seed) && !FoldsPayload(seed) && !MapsPayload(seed) && !ShiftsFrame(seed)
        && !LooksUp(seed) && !LoadsText(seed) && !WritesParsed(seed) && !Searches(seed)
        && SplitMix64.Draw(seed, 13) % 8 == 0;

    /// <summary>The C# of the service <c>Program{seed}</c>: equal for equal seeds.</summary>
    public static string Generate(ulong seed) =>
        new ProgramGenerator(seed, onlyCounts: false).Program($"Program{seed}");

    /// <summary>The C# of another one, whose frames share nothing but counters.</summary>
    public static string GenerateCounting(ulong seed) =>
        new ProgramGenerator(seed, onlyCounts: true).Program($"Program{seed}");

    private string Program(string name)
    {
        Line($"public sealed class {name} : Service", 0);
        Line("{", 0);
        State();
        for (var i = _isHeaderWork ? 0 : _random.Next(3); i > 0; i--) Method();
        Process();
        if (!_onlyCounts && _random.Next(4) == 0) Tick();
        Line("}", 0);
        return _text.ToString();
    }

    private void State()
    {
        Line($"private struct Pair {{ public {_members[0].Name} A; public {_members[1].Name} B; }}");
        if (_isHeaderWork)
        {
            HeaderState();
            if (_classifies) ClassState();
            if (_looksUp) LookUpState();
            if (_loadsText) LoadState();
            if (_writesParsed) ParsedState();
            if (_searches) SearchState();
            if (_readsTexts) TextState();
            return;
        }
        if (_onlyCounts)
        {
            CountingState();
            return;
        }
        for (var i = _random.Next(2, 6); i > 0; i--) Field(Any(NumberType.All));
        for (var i = _random.Next(1, 4); i > 0; i--)
            Array(Any(NumberType.All), Any([4, 8, 16, 5, 11]), isRom: _random.Next(3) == 0);
        if (_random.Next(2) == 0) Structs(Any([4, 8]));
        Line("private Pair _pair;");
        if (_random.Next(3) == 0) Units();
        if (_random.Next(3) == 0) Tables(Any([4, 8, 16]), Any([4, 8]), _random.Next(1, 6));
    }

    private void Field(NumberType type)
    {
        var name = $"_f{_fields.Count}";
        Line($"private {type.Name} {name} = {Literal(type)};");
        _fields.Add((name, type));
    }

    private void Array(NumberType type, int length, bool isRom)
    {
        var name = $"_a{_arrays.Count}";
        var elements = Enumerable.Range(0, length).Select(_ => _random.Next(2) == 0 && !isRom ? "0" : Literal(type));
        Line($"private readonly {type.Name}[] {name} = [{string.Join(", ", elements)}];");
        _arrays.Add((name, type, length, isRom));
    }

    private void Structs(int count)
    {
        _structs = count;
        Line($"private readonly Pair[] _pairs = new Pair[{count}];");
    }

    private void Tables(int stations, int hosts, int lifetime)
    {
        _hasTables = true;
        Line(
            $"private readonly AgeingTable<MacAddress, PortSet> _stations = new({stations}, {lifetime}, hashSeed: "
            + $"{_random.Next(100)});");
        Line(
            $"private readonly AgeingTable<IPv4Address, ushort> _hosts = new({hosts}, {lifetime}, hashSeed: "
            + $"{_random.Next(100)});");
    }

    /// <summary>Objects of two classes behind one interface, now and then one of them missing.</summary>
    private void Units()
    {
        _hasUnits = true;
        var t = _unit.Name;
        Line($"private interface IUnit {{ {t} Step({t} n); }}");
        Line(
            $"private sealed class Adder : IUnit {{ private {t} _sum; public {t} Step({t} n) => _sum = "
            + $"unchecked(({t})(_sum + n)); }}");
        Line(
            $"private sealed class Mixer(int by) : IUnit {{ private {t} _last = {Literal(_unit)}; "
            + $"public {t} Step({t} n) {{ var r = unchecked(({t})(_last ^ n << by)); _last = n; return r; }} }}");
        Line(
            $"private readonly IUnit[] _units = [new Adder(), new Mixer({_random.Next(70)}), new Adder(), "
            + $"{(_random.Next(8) == 0 ? "null!" : "new Mixer(1)")}];");
    }

    /// <summary>A method on numbers, and on the fields.</summary>
    private void Method()
    {
        var result = Any(NumberType.All);
        var parameters = Enumerable.Range(0, _random.Next(1, 4)).Select(_ => Any(NumberType.All)).ToArray();
        var name = $"M{_methods.Count}";
        Line($"private {result.Name} {name}({string.Join(", ", parameters.Select((p, i) => $"{p.Name} p{i}"))})");
        Line("{");
        _indent++;
        for (var i = 0; i < parameters.Length; i++) _locals.Add(($"p{i}", parameters[i], false));
        if (_onlyCounts) DeclareFields();
        Statements(_random.Next(1, 4), depth: 2);
        Line($"return {Number(result, 2)};");
        _indent--;
        Line("}");
        _locals.Clear();
        _methods.Add((name, result, parameters));
    }

    private void Process()
    {
        Line("public override void Process(ref Frame frame)");
        Line("{");
        _indent++;
        _hasFrame = true;
        if (_onlyCounts) DeclareFields();
        Line("var bytes = frame.Bytes;");
        Line("var source = bytes[11];");
        Line("var kind = BinaryPrimitives.ReadUInt16BigEndian(bytes[12..]);");
        _locals.Add(("source", NumberType.Byte, false));
        _locals.Add(("kind", new NumberType("ushort", 16, false), false));
        Line(Verdict());
        if (_isHeaderWork) Indices();
        if (_foldsPayload) FoldPayload();
        if (_mapsPayload) MapPayload();
        if (_looksUp) LookUpText();
        if (_writesParsed) WriteParsed();
        if (_searches) Search();
        if (_readsTexts) ReadTexts();
        Statements(
            _writesParsed || _readsTexts ? _random.Next(3)
            : _isHeaderWork ? _random.Next(3, 11)
            : _random.Next(4, 12),
            depth: 0);
        if (_shiftsFrame) ShiftFrame();
        if (_loadsText) LoadText();
        if (_random.Next(2) == 0) Line(Verdict());
        _indent--;
        Line("}");
    }

    /// <summary>A tick that makes a frame of its own.</summary>
    private void Tick()
    {
        Line($"public override ulong TickInterval => {_random.Next(200_000_000, 2_000_000_000)};");
        Line("public override void Tick(ref Frame frame)");
        Line("{");
        _indent++;
        Line($"frame.Resize({_random.Next(14, 140)});");
        Line("var bytes = frame.Bytes;");
        Line("var source = bytes[11];");
        _locals.Clear();
        _locals.Add(("source", NumberType.Byte, false));
        Line(Verdict());
        if (_isHeaderWork)
        {
            Line("var kind = BinaryPrimitives.ReadUInt16BigEndian(bytes[12..]);");
            Indices();
        }
        Statements(_random.Next(2, 7), depth: 0);
        _indent--;
        Line("}");
    }

    private void Line(string text) => Line(text, _indent);

    private void Line(string text, int indent) => _text.Append(' ', 4 * indent).Append(text).Append('\n');

    private T Any<T>(IReadOnlyList<T> choices) => choices[_random.Next(choices.Count)];

    private string NewName(string kind) => $"{kind}{_names++}";
}
