namespace Emu.Fuzz;

/// <summary>
/// Programs that do with options and payloads as services do: an option is found and written, with a checksum over
/// it; a table is asked between two parts of a header; kinds of bytes are counted; a sum is of one of a few lengths.
/// </summary>
internal sealed partial class ProgramGenerator
{
    private readonly bool _writesParsed;

    /// <summary>The state of such programs.</summary>
    private void ParsedState()
    {
        Line("private uint _seen0, _seen1;");
        Line($"private readonly ushort[] _asked = new ushort[{Any([4, 16])}];");
    }

    private void WriteParsed()
    {
        for (var parts = _random.Next(1, 3); parts > 0; parts--)
        {
            switch (_random.Next(5))
            {
                case 0 or 1:
                    WriteOption();
                    break;
                case 2:
                    AskBetween();
                    break;
                case 3:
                    CountBytes();
                    break;
                default:
                    SumOfFew();
                    break;
            }
        }
    }

    /// <summary>Walks along options, and writes one that it finds; a checksum covers it or a part of it.</summary>
    private void WriteOption()
    {
        var (at, end, kind, length) = (NewName("k"), NewName("e"), NewName("o"), NewName("n"));
        var first = Any([14, 20, 31, 33, 34]);
        Line($"var {at} = {first};");
        Line($"var {end} = {Any([
            "bytes.Length", $"Math.Min(bytes.Length, {first + 40})",
            $"Math.Min(bytes.Length, {first} + (bytes[13] & 63))",
        ])};");
        Line($"while ({at} < {end})");
        Line("{");
        _indent++;
        Line($"var {kind} = bytes[{at}];");
        Line($"if ({kind} == 0) break;");
        Line($"if ({kind} == 1)");
        Line("{");
        Line($"    {at}++;");
        Line("    continue;");
        Line("}");
        Line($"if ({at} + 1 >= {end}) break;");
        Line($"var {length} = bytes[{at} + 1];");
        Line($"if ({length} < 2 || {at} + {length} > {end}) break;");
        Line($"if (({kind} & {Any([1, 3])}) == {Any([0, 1])} && {length} >= {Any([3, 4])})");
        Line("{");
        _indent++;
        Line(_random.Next(4) switch
        {
            0 => $"bytes[{at} + 2] = {Any(["source", "77", $"(byte)({kind} ^ 85)"])};",
            1 => $"BinaryPrimitives.WriteUInt32BigEndian(bytes[({at} + 2)..], 0x{_random.Next():x}u);",
            2 => $"if (source < {_random.Next(4)}) bytes[{at} + 2] = 9; else bytes[{at} + 1] ^= 64;",
            _ => $"BinaryPrimitives.WriteUInt16BigEndian(bytes[({at} + 2)..], (ushort)({length} * 300));",
        });
        WriteSum(_random.Next(12));
        Line(Any(["break;", "return;", "break;"]));
        _indent--;
        Line("}");
        Line($"{at} += {length};");
        _indent--;
        Line("}");
        _locals.Add(($"unchecked((ushort){at})", s_ushort, true));
    }

    /// <summary>Writes a checksum of the frame from a place on, to its end or to another, at the front.</summary>
    private void WriteSum(int first)
    {
        if (_random.Next(3) == 0) Line("BinaryPrimitives.WriteUInt16BigEndian(bytes[12..], 0);");
        var sum = NewName("c");
        var end = Any(["", "", "(bytes.Length - 1)", $"(14 + (bytes[14] & 31))"]);
        Line($"var {sum} = {Any(["6ul", "6ul + kind", "0ul"])} + InternetChecksum.Sum(bytes[{first}..{end}]);");
        Line($"BinaryPrimitives.WriteUInt16BigEndian(bytes[{Any([0, 4, 10])}..], InternetChecksum.Finish({sum}));");
    }

    /// <summary>Asks a table between two reads behind a header of any length.</summary>
    private void AskBetween()
    {
        var (at, asked) = (NewName("k"), NewName("a"));
        Line($"var {at} = {Any([14, 18])} + {Any(["(bytes[14] & 12)", "bytes[14]", "4 * (bytes[15] & 15)"])};");
        Line($"if ({at} + 6 > bytes.Length) return;");
        Line($"var {asked} = _asked[bytes[{at}] & 3];");
        Line($"if ({asked} != 0 && bytes[{at} + 2] == (byte){asked})");
        Line($"    frame.ForwardTo(new PortId(bytes[{at} + 3] & 3));");
        Line($"else _asked[bytes[{at} + {_random.Next(5)}] & 3] = (ushort)(bytes[{at} + 1] << 4 | bytes[{at} + 5]);");
        _locals.Add((asked, s_ushort, true));
    }

    /// <summary>Counts kinds of bytes, up to an end that may come early.</summary>
    private void CountBytes()
    {
        var (at, octet, count) = (NewName("k"), NewName("o"), NewName("n"));
        Line($"var {count} = 0u;");
        Line($"for (var {at} = {Any([14, 15, 32, 41])}; {at} < {Any(["bytes.Length", "bytes.Length", "60"])}; {at}++)");
        Line("{");
        _indent++;
        Line($"var {octet} = bytes[{at}];");
        if (_random.Next(3) == 0) Line($"if ({octet} == {_random.Next(200)}) break;");
        Line($"if ({octet} < {_random.Next(1, 200)}) _seen0 += {Any(["1u", octet, "3u"])};");
        if (_random.Next(2) == 0) Line($"else if ({octet} == {_random.Next(256)}) _seen1++;");
        if (_random.Next(2) == 0) Line($"if (({octet} & 1) == 0) {count}++;");
        if (_random.Next(3) == 0) Line($"if ({octet} == {_random.Next(256)}) _ = bytes[2000];");
        _indent--;
        Line("}");
        _locals.Add((count, NumberType.Uint, true));
    }

    /// <summary>A sum over one of a few numbers of bytes.</summary>
    private void SumOfFew()
    {
        var length = NewName("n");
        var (few, more, most) = (2 * _random.Next(1, 8), 2 * _random.Next(8, 11), _random.Next(22, 26));
        Line($"var {length} = source < 1 ? {few} : kind == 0x800 ? {most} : {more};");
        Line($"BinaryPrimitives.WriteUInt16BigEndian(bytes[{Any([0, 12, 20])}..], InternetChecksum.Compute("
            + $"bytes.Slice({_random.Next(10, 20)}, {length})));");
        _locals.Add(($"(ushort){length}", s_ushort, true));
    }
}
