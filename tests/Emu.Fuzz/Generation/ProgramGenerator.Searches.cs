namespace Emu.Fuzz;

/// <summary>
/// Loops over the payload whose outcome begins a search that has no bound, behind ways by which frames leave because
/// the loop has come to nothing, or at once with what it has found.
/// </summary>
internal sealed partial class ProgramGenerator
{
    private readonly bool _searches;

    private void SearchState()
    {
        Line($"private readonly byte[] _from = [{Numbers(Slots, 40)}];");
        Line($"private readonly byte[] _to = [{Numbers(Slots, Any([40, 48]))}];");
        Line($"private readonly ushort[] _wanted = [{Numbers(40, 999)}];");
    }

    private void Search()
    {
        var (key, at, octet) = (NewName("h"), NewName("k"), NewName("o"));
        var (slot, found, place) = (NewName("s"), NewName("h"), NewName("i"));
        if (_random.Next(2) == 0)
        {
            Line($"if ((source & {Any([1, 2, 3])}) == 1)");
            Line("{");
            Line($"    {Verdict()}");
            Line("    return;");
            Line("}");
        }
        Line($"var {key} = {_random.Next(999)}u;");
        Line($"int {at} = {Any(["14", "16", "bytes[13] & 15"])};");
        Line($"for (; {at} < {Any(["bytes.Length", "bytes.Length", "40", "bytes[5] + 20"])}; {at}++)");
        Line("{");
        _indent++;
        Line($"var {octet} = bytes[{at}];");
        if (_random.Next(3) > 0) Line($"if ({octet} == {_random.Next(6)}) break;");
        if (_random.Next(3) > 0) GiveUp($"{octet} > {_random.Next(90, 256)}");
        Line($"{key} = {key} * {Any(["3u", "33u", "16777619u"])} {Any(["^", "+"])} {octet};");
        _indent--;
        Line("}");
        if (_random.Next(2) == 0) GiveUp($"{at} > {_random.Next(20, 60)}");
        if (_random.Next(3) == 0)
            GiveUp($"({key} & {Any([1, 3, 7])}) == 0", $"bytes[{_random.Next(14)}] = (byte){key};");
        Line($"var {slot} = (int)({key} & {Slots - 1});");
        if (_random.Next(3) == 0) GiveUp($"_from[{slot}] > {_random.Next(40)}");
        Line($"var {found} = {Any([key, "7u"])};");
        Line($"for (int {place} = _from[{slot}]; {place} < _to[{slot}]; {place}++)");
        Line("{");
        Line($"    if (_wanted[{place}] == ({key} & {Any([7, 255])})) break;");
        Line($"    {found} = {Any([$"{found} + 1u", $"{found} * 5u + {key}", $"(uint){place}"])};");
        Line("}");
        _locals.Add((found, NumberType.Uint, true));
    }

    /// <summary>Ends the event under a condition, with or without anything that has been found.</summary>
    private void GiveUp(string condition, string with = "")
    {
        Line($"if ({condition})");
        Line("{");
        _indent++;
        if (with.Length > 0) Line(with);
        if (_counters > 0 && _random.Next(2) == 0) Line($"Events{_random.Next(_counters)}.Increment();");
        Line(Verdict());
        Line("return;");
        _indent--;
        Line("}");
    }
}
