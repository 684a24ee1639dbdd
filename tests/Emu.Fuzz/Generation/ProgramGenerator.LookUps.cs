namespace Emu.Fuzz;

/// <summary>
/// Loops over the payload that begin with what a table says of earlier ones, and read another table word by word, from
/// any place on, to its end and beyond.
/// </summary>
internal sealed partial class ProgramGenerator
{
    private const int Slots = 8;

    /// <summary>The tables of such loops: text, and where parts of it begin and how long they are.</summary>
    private void LookUpState()
    {
        var length = _random.Next(3, 140);
        var type = Any(["byte", "byte", "ushort"]);
        Line($"private readonly {type}[] _text = [{Numbers(length, 256)}];");
        Line($"private readonly byte[] _starts = [{Numbers(Slots, Any([length, length + 3]))}];");
        Line($"private readonly byte[] _counts = [{Numbers(Slots, Any([9, 40, 90]))}];");
    }

    private string Numbers(int count, int below) =>
        string.Join(", ", Enumerable.Range(0, count).Select(_ => _random.Next(below)));

    private void LookUpText()
    {
        var key = "bytes[0]";
        if (_random.Next(4) > 0)
        {
            key = NewName("h");
            var at = NewName("k");
            Line($"var {key} = {_random.Next(999)}u;");
            var hashed = NewName("c");
            Line($"var {hashed} = bytes[{_random.Next(14)}] & 31;");
            Line($"for (var {at} = 0; {at} < {hashed}; {at}++)");
            Line($"    {key} = {key} * {Any(["31u", "33u", "16777619u"])} ^ bytes[{_random.Next(14, 24)} + {at}];");
        }
        for (var walks = _random.Next(1, 3); walks > 0; walks--) key = Walk(key);
        _locals.Add((key, NumberType.Uint, true));
    }

    /// <summary>A loop that begins with what tables say of a number; gives another.</summary>
    private string Walk(string key)
    {
        var (slot, start, count, found, at) = (
            NewName("s"), NewName("b"), NewName("c"), NewName("h"), NewName("k"));
        var (octet, word) = (NewName("o"), NewName("w"));
        Line($"var {slot} = (int)({key} & {Slots - 1});");
        Line($"int {start} = {Any([$"_starts[{slot}]", $"_starts[{slot}]", "bytes[3] & 63", "2"])};");
        Line($"int {count} = {Any([$"_counts[{slot}]", $"_counts[{slot}]", "bytes[4] & 63"])};");
        Line($"var {found} = {Any([$"(uint){slot}", "7u"])};");
        Line($"for (var {at} = 0; {at} < {count}; {at}++)");
        Line("{");
        _indent++;
        Line($"var {octet} = bytes[{Any([14, 15, 17, 31, 32, _random.Next(60)])} + {at}];");
        Line($"var {word} = _text[{start} + {at}{Any(["", "", " + 1"])}];");
        var mask = Any([1, 1, 3, 255]);
        var end = Any(["break;", "break;", "{ frame.Drop(); return; }", "_ = bytes[2000];"]);
        Line($"if (({octet} & {mask}) {Any(["!=", "=="])} ({word} & {mask})) {end}");
        Line($"{found} = {_random.Next(5) switch
        {
            0 => $"{found} + 1u",
            1 => $"{found} ^ (uint)({octet} + {word})",
            2 => $"{found} * 31u + {word}",
            3 => $"{found} + (uint)({word} > {octet} ? {word} : {at})",
            _ => $"({found} << 1 | {found} >> 31) ^ {word}",
        }};");
        _indent--;
        Line("}");
        return found;
    }
}
