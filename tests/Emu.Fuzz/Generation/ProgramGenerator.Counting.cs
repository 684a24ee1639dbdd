namespace Emu.Fuzz;

/// <summary>
/// Services whose frames share nothing but counters: the fields of others are variables here.
/// </summary>
internal sealed partial class ProgramGenerator
{
    private readonly bool _onlyCounts;
    private readonly List<string> _initial = [];
    private int _counts;

    private void CountingState()
    {
        _counts = _random.Next(1, 5);
        for (var i = 0; i < _counts; i++)
            Line($"private {Any(["ulong", "uint", "ushort", "long", "byte"])} _count{i};");
        for (var i = _random.Next(3); i > 0; i--) Array(Any(NumberType.All), Any([4, 8, 16, 5, 11, 100]), isRom: true);
        for (var i = _random.Next(2, 6); i > 0; i--)
        {
            var type = Any(NumberType.All);
            var name = $"_f{_fields.Count}";
            _fields.Add((name, type));
            _initial.Add($"{type.Name} {name} = {Literal(type)};");
        }
    }

    /// <summary>The variables that are fields elsewhere.</summary>
    private void DeclareFields()
    {
        Line("var _pair = default(Pair);");
        foreach (var declaration in _initial) Line(declaration);
    }

    private void AddToCount()
    {
        var name = $"_count{_random.Next(_counts)}";
        Line(_random.Next(4) switch
        {
            0 => $"unchecked {{ {name}++; }}",
            1 => $"unchecked {{ {name}--; }}",
            2 => $"unchecked {{ {name} += {Number(NumberType.Byte, 1)}; }}",
            _ => $"unchecked {{ {name} -= {Number(NumberType.Byte, 2)}; }}",
        });
    }
}
