namespace Emu.Fuzz;

/// <summary>
/// Loops that write the payload: each byte as what it was says, its place, what is the same in all turns, and state
/// that goes on by itself; in front of a sum over what was written, behind a copy of what was there, under a condition.
/// </summary>
internal sealed partial class ProgramGenerator
{
    private void MapPayload()
    {
        for (var loops = _random.Next(3) == 0 ? 2 : 1; loops > 0; loops--)
        {
            if (_random.Next(5) == 0) Line($"frame.Send(PortSet.Of(new PortId({_random.Next(4)})));");
            if (_random.Next(8) == 0) Line($"bytes[{_random.Next(40)}] = {_random.Next(256)};");
            var isChosen = _random.Next(3) == 0;
            if (isChosen)
            {
                Line($"if ((bytes[{_random.Next(14)}] & {_random.Next(1, 8)}) != 0)");
                Line("{");
                _indent++;
            }
            MapLoop();
            if (!isChosen) continue;
            _indent--;
            Line("}");
        }
        if (_random.Next(2) == 0) MapSum();
        if (_random.Next(6) == 0) Line($"bytes[{_random.Next(60)}] ^= 5;");
    }

    private void MapLoop()
    {
        var (at, first) = (NewName("k"), Any([14, 14, 20, 31, 32, 33, _random.Next(70)]));
        var (state, key) = (NewName("s"), NewName("q"));
        var type = Any([s_ushort, NumberType.Uint]).Name;
        Line($"{type} {state} = {Any(["0", $"{_random.Next(60000)}", "kind", $"bytes[{_random.Next(14)}]"])};");
        Line($"var {key} = (uint){Any([$"{_random.Next()}", $"bytes[{_random.Next(14)}] * 77", "source"])};");
        var end = FoldEnd(first);
        if (_random.Next(5) > 0)
        {
            Line($"var {at}end = {end};");
            end = $"{at}end";
        }
        Line($"for (var {at} = {first}; {at} < {end}; {at}++)");
        Line("{");
        _indent++;
        if (_random.Next(6) == 0) Line(MapEnd(at));
        if (_random.Next(3) == 0) MapState(state, type);
        var write = $"bytes[{at}] = unchecked((byte)({MapByte($"bytes[{at}]", at, state, key)}));";
        Line(_random.Next(3) > 0 ? write : $"if ({MapCondition($"bytes[{at}]", at)}) {write}");
        if (_random.Next(2) == 0) MapState(state, type);
        if (_random.Next(8) == 0)
            Line($"bytes[{at}] ^= {Any(["(byte)1", $"(byte){state}", $"(byte)(bytes[{at}] >> 1)"])};");
        _indent--;
        Line("}");
    }

    private string MapEnd(string at) => $"if (bytes[{at}] == {_random.Next(40)}) " + Any(["break;", "return;"]);

    private string MapByte(string octet, string at, string state, string key) => _random.Next(9) switch
    {
        0 => $"{octet} ^ {_random.Next(256)}",
        1 => $"{octet} >= 'a' && {octet} <= 'z' ? {octet} - 32 : {octet}",
        2 => $"{octet} + {at}",
        3 => $"{_random.Next(256)}",
        4 or 5 => $"{octet} ^ {state}",
        6 => $"{octet} ^ {key} >> 8 * ({at} & 3)",
        7 => $"{state} >> {_random.Next(8)}",
        _ => $"{octet} << 4 | {octet} >> 4",
    };

    private string MapCondition(string octet, string at) => Any([
        $"{octet} > {_random.Next(256)}", $"({at} & {_random.Next(1, 8)}) != 0", $"({octet} & 1) == 0",
        $"{at} > {_random.Next(14, 90)}",
    ]);

    /// <summary>State that goes on by itself: a shift register, a counter; now and then one of another kind.</summary>
    private void MapState(string state, string type) => Line(_random.Next(7) switch
    {
        0 => $"{state} = unchecked(({type})({state} + {_random.Next(1, 300)}));",
        1 => $"{state} = ({type})({state} >> 1 ^ (({state} & 1) != 0 ? 0xB400u : 0u));",
        2 => $"{state} = unchecked(({type})({state} ^ {state} << {_random.Next(1, 14)}));",
        3 => $"{state} = ({type})({state} ^ {state} >> {_random.Next(1, 14)});",
        4 => $"{state} = unchecked(({type})({state} << 1 | {state} >> {_random.Next(9, 16)} & 1));",
        5 => $"{state} = unchecked(({type})({state} * 5u + 1u));",
        _ => $"{state} = unchecked(({type})({state} << 3 | {state} >> 13));",
    });

    /// <summary>A sum over what was written, of a length that is constant or computed.</summary>
    private void MapSum()
    {
        var (sum, first) = (NewName("c"), _random.Next(12, 50));
        Line($"if (bytes.Length > {first + 20})");
        Line("{");
        _indent++;
        var part = _random.Next(3) switch
        {
            0 => $"bytes.Slice({first}, {_random.Next(20)})",
            1 => $"bytes.Slice({first}, bytes[{_random.Next(14)}] & 15)",
            _ => $"bytes[{first}..]",
        };
        Line($"var {sum} = InternetChecksum.Sum({part});");
        Line($"BinaryPrimitives.WriteUInt16BigEndian(bytes[{_random.Next(12)}..], (ushort){sum});");
        _indent--;
        Line("}");
    }
}
