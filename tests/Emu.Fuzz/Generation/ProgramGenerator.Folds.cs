namespace Emu.Fuzz;

/// <summary>
/// Loops over the payload with state from turn to turn: numbers, automata and hashes, that end early, fault, look
/// ahead, begin and end anywhere, and go on by one or by lengths that they have read.
/// </summary>
internal sealed partial class ProgramGenerator
{
    private int _classBits;

    private static NumberType[] Folded => [NumberType.Byte, s_ushort, NumberType.Uint];

    private void FoldPayload()
    {
        var count = _random.Next(1, 4);
        var states = Enumerable.Range(0, count).Select(_ => (Name: NewName("h"), Type: Any(Folded))).ToList();
        var (at, first) = (NewName("k"), Any([14, 14, 20, 31, 32, 33, _random.Next(70)]));
        foreach (var (name, type) in states)
            Line($"var {name} = {Any(["0", $"{_random.Next(200)}", "source", $"bytes[{_random.Next(14)}]"])};", type);
        // A place that is known from the header alone, or one that this says.
        var begin = _random.Next(4) == 0 ? $"{first} + (bytes[{_random.Next(14)}] & {Any([3, 12, 60])})" : $"{first}";
        Line($"var {at} = {begin};");
        Line(_walksLengths ? $"while ({at} < {FoldEnd(first)})" : $"for (; {at} < {FoldEnd(first)}; {at}++)");
        Line("{");
        _indent++;
        var octet = NewName("o");
        Line($"var {octet} = {(_passesOver ? ReadOfSome(at, first) : $"bytes[{at}]")};");
        List<string> values = [octet, .. states.Select(state => state.Name)];
        if (_random.Next(3) == 0)
        {
            values.Add(NewName("o"));
            Line($"var {values[^1]} = bytes[{at} + {_random.Next(1, 4)}];");
        }
        if (_classifies)
        {
            values.Add(NewName("w"));
            Line($"var {values[^1]} = {Class(octet, Any(values[..^1]))};");
        }
        for (var i = _random.Next(1, 5); i > 0; i--)
        {
            if (_random.Next(3) == 0) Line(FoldEarlyEnd(values, at, first));
            else FoldStep(states, values, at);
        }
        FoldStep(states, values, at);
        if (_walksLengths) Line($"{at} += {WalkStep(values)};");
        _indent--;
        Line("}");
        if (_sumsWalked) SumWalked(at, first);
        foreach (var (name, type) in states) _locals.Add((name, type, true));
        Line($"var {at}end = unchecked((ushort){at});");
        _locals.Add(($"{at}end", s_ushort, true));
    }

    /// <summary>
    /// A checksum up to where the loop has come to, of a frame that is cut or filled up there at times, and whose first
    /// bytes may have been written.
    /// </summary>
    private void SumWalked(string at, int first)
    {
        var sum = NewName("s");
        Line($"ushort {sum} = 0;");
        Line($"if ({at} > {first} && {at} <= frame.Length)");
        Line("{");
        _indent++;
        if (_random.Next(2) == 0) Line($"bytes[{_random.Next(12, first + 1)}] = (byte){_random.Next(256)};");
        if (_random.Next(2) == 0) Line($"frame.Resize({at} + {_random.Next(9)});");
        var from = Math.Max(0, first - _random.Next(16));
        Line($"{sum} = InternetChecksum.Compute(frame.Bytes[{from}..{at}]);");
        if (_random.Next(2) == 0)
            Line($"BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[{_random.Next(4)}..], {sum});");
        _indent--;
        Line("}");
        _locals.Add((sum, s_ushort, true));
    }

    /// <summary>The table of what a byte is, or what comes after a state.</summary>
    private void ClassState()
    {
        _classBits = _random.Next(1, 8);
        var count = (1 << _classBits) - Any([0, 0, 1]);
        Line($"private readonly {Any(["byte", "ushort", "uint"])}[] _classes = [{Numbers(count, Any([2, 5, 256]))}];");
    }

    /// <summary>The word of it for a byte, or for a byte and a state; at times it has none.</summary>
    private string Class(string octet, string state)
    {
        var mask = (1 << _classBits) - 1;
        return _random.Next(4) switch
        {
            0 => $"{octet} < _classes.Length ? _classes[{octet}] : {octet}",
            1 => $"_classes[({octet} ^ {state}) & {mask}]",
            2 => $"_classes[{octet} >> {8 - _classBits}]",
            _ => $"_classes[{octet} & {mask}]",
        };
    }

    /// <summary>A byte of the frame, or 0 at places that are passed over, as that of a checksum is.</summary>
    private string ReadOfSome(string at, int first)
    {
        var (from, count) = (first + _random.Next(20), _random.Next(1, 9));
        return _random.Next(3) == 0
            ? $"{at} % {count + 1} != 0 ? bytes[{at}] : (byte)0"
            : $"{at} >= {from} && {at} < {from + count} ? (byte)0 : bytes[{at}]";
    }

    private void Line(string declaration, NumberType type) =>
        Line(declaration.Replace("var ", $"{type.Name} ", StringComparison.Ordinal));

    private string FoldEnd(int first) => _random.Next(5) switch
    {
        0 => $"{first} + bytes[{_random.Next(14)}]",
        1 => $"Math.Min(bytes.Length, {first + _random.Next(1, 90)})",
        2 => $"{first + _random.Next(1, 50)}",
        _ => "bytes.Length",
    };

    /// <summary>
    /// An end of the loop. In a loop that begins at an odd offset one of them asks a byte further on, too, which is
    /// read only then.
    /// </summary>
    private string FoldEarlyEnd(List<string> values, string at, int first) =>
        $"if ({FoldCondition(values)}) " + Any([
        "break;", "break;", first % 2 == 0 ? "break;" : $"{{ if (bytes[{at} + {values.Count}] < 99) break; }}",
        "{ frame.Drop(); return; }", "_ = bytes[2000];",
    ]);

    /// <summary>The step of a walk: a length that it has read, of bytes or words, at least 1.</summary>
    private string WalkStep(List<string> values) => _random.Next(5) switch
    {
        0 => $"{values[0]} + {_random.Next(1, 4)}",
        1 => $"4 * ({values[0]} & 3) + 4",
        2 => $"{values[0]} < 9 ? 1 : {values[0]} & 31 | 2",
        3 => $"(int)((uint){Any(values)} % 8u) + 1",
        _ => $"({values[0]} & {Any([1, 3, 15, 63])}) + 1",
    };

    private string FoldCondition(List<string> values) => _random.Next(4) switch
    {
        0 => $"{values[0]} < {_random.Next(4)}",
        1 => $"{Any(values)} == {_random.Next(256)}",
        2 => $"({Any(values)} & {_random.Next(1, 256)}) == {_random.Next(4)}",
        _ => $"{Any(values)} > {_random.Next(200, 256)} && {values[0]} != {_random.Next(4)}",
    };

    /// <summary>A state for the next turn, sometimes only under a condition.</summary>
    private void FoldStep(List<(string Name, NumberType Type)> states, List<string> values, string at)
    {
        var (name, type) = Any(states);
        var next = _random.Next(8) switch
        {
            0 => $"{name} * {Any(["10u", "31u", "16777619u"])} + {values[0]}",
            1 => $"({name} ^ {Any(values)}) * {Any(["3u", "33u", "16777619u"])}",
            2 => $"{name} + 1u",
            3 => $"{name} ^ (uint){at} ^ {Any(values)}",
            4 => $"({name} << {_random.Next(1, 8)}) | ((uint){values[0]} & 7u)",
            5 => $"{Any(values)} & {_random.Next(256)}u",
            6 => $"{name} == 0 ? {_random.Next(4)}u : {name} - 1u",
            _ => $"{name} + ((uint){Any(values)} >> {_random.Next(5)})",
        };
        var step = $"{name} = unchecked(({type.Name})({next}));";
        Line(_random.Next(2) == 0 ? step : $"if ({FoldCondition(values)}) {step}");
    }
}
