namespace Emu.Fuzz;

internal sealed partial class ProgramGenerator
{
    /// <summary>A number of a type: an expression, in brackets where it has operators.</summary>
    private string Number(NumberType type, int depth)
    {
        if (depth <= 0) return Leaf(type);
        return _random.Next(16) switch
        {
            0 or 1 => Leaf(type),
            2 or 3 or 4 =>
                Cut(type, $"{Number(type, depth - 1)} {Any(["+", "-", "*", "&", "|", "^"])} {Number(type, depth - 1)}"),
            5 => Cut(type, $"{Number(type, depth - 1)} {Any(["<<", ">>", ">>>"])} {ShiftCount(depth - 1)}"),
            6 => Cut(
                type,
                $"{Number(type, depth - 1)} {Any(["/", "%"])}"
                + $" {(_isHeaderWork && _random.Next(8) != 0 ? $"{1 << _random.Next(7)}" : Divisor(type))}"),
            7 => Cut(
                type, $"{(type is { IsSigned: false, Width: 64 } ? "~" : Any(["-", "~"]))}{Number(type, depth - 1)}"),
            8 => $"({Condition(depth - 1)} ? {Number(type, depth - 1)} : {Number(type, depth - 1)})",
            9 => Cut(type, Number(Any(Types), depth - 1)),
            10 when type.Width < 128 =>
                $"Math.{Any(["Min", "Max"])}({Number(type, depth - 1)}, {Number(type, depth - 1)})",
            11 => Cut(
                type,
                $"BitOperations.{Any(["PopCount", "LeadingZeroCount", "TrailingZeroCount", "Log2"])}"
                + $"({Number(Any([NumberType.Uint, NumberType.Ulong]), depth - 1)})"),
            12 when _methods.Count > 0 => Call(type, depth),
            14 when _hasUnits && !_isHeaderWork =>
                As(type, ($"_units[{Index(4)}].Step({Number(_unit, depth - 2)})", _unit)),
            15 when _random.Next(2) == 0 =>
                $"(({Number(NumberType.Int, depth - 1)} & 3) switch {{ 0 => {Number(type, depth - 1)},"
                + $" {_random.Next(1, 4)} => {Leaf(type)}, _ => {Leaf(type)} }})",
            13 when _random.Next(6) == 0 =>
                $"checked(({type.Name})({Variable(type)} {Any(["+", "-"])} {Variable(type)}))",
            _ => Leaf(type),
        };
    }

    /// <summary>The result as a type: what operators gave may be wider.</summary>
    private static string Cut(NumberType type, string expression) => $"unchecked(({type.Name})({expression}))";

    private string Call(NumberType type, int depth)
    {
        var (name, result, parameters) = Any(_methods);
        var call = $"{name}({string.Join(", ", parameters.Select(p => Number(p, depth - 2)))})";
        return result == type ? call : Cut(type, call);
    }

    private string ShiftCount(int depth) => _random.Next(3) switch
    {
        0 => $"{_random.Next(140)}",
        1 => $"({Number(NumberType.Int, depth - 1)} & 63)",
        _ => Number(NumberType.Int, depth - 1),
    };

    /// <summary>Not a constant, which C# would see to be 0; mostly odd, else it may be.</summary>
    private string Divisor(NumberType type)
    {
        var variable = Cut(type, Variable());
        return _random.Next(12) == 0 ? variable : Cut(type, $"{variable} | 1");
    }

    /// <summary>A local or a field.</summary>
    private string Variable(NumberType? type = null)
    {
        var all = _locals.Select(l => (l.Name, l.Type)).Concat(_isHeaderWork ? [] : _fields).ToList();
        if (type is null) return Any(all).Name;
        var of = all.Where(v => v.Type == type).ToList();
        return of.Count > 0 ? Any(of).Name : Cut(type, Any(all).Name);
    }

    private string Leaf(NumberType type)
    {
        if (_isHeaderWork) return HeaderLeaf(type);
        switch (_random.Next(9))
        {
            case 0:
                return Literal(type);
            case 1 when _fields.Count > 0:
                return As(type, Any(_fields));
            case 2 or 3 when _arrays.Count > 0:
                var array = Any(_arrays);
                return As(type, ($"{array.Name}[{Index(array.Length)}]", array.Type));
            case 4 when _hasFrame:
                return As(type, ($"bytes[{FrameOffset(1)}]", NumberType.Byte));
            case 5 when _hasFrame:
                return FrameNumber(type);
            case 6 when _structs > 0:
                return As(type, Member($"_pairs[{Index(_structs)}]"));
            case 6:
                return As(type, Member("_pair"));
            default:
                return _locals.Count > 0
                    ? As(type, Any(_locals.Select(l => (l.Name, l.Type)).ToList()))
                    : Literal(type);
        }
    }

    private (string, NumberType) Member(string pair) =>
        _random.Next(2) == 0 ? ($"{pair}.A", _members[0]) : ($"{pair}.B", _members[1]);

    private static string As(NumberType type, (string Name, NumberType Type) value) =>
        value.Type == type ? value.Name : Cut(type, value.Name);

    private string FrameNumber(NumberType type)
    {
        var (name, width) = Any(
        [
            ("UInt16BigEndian", 2), ("UInt32BigEndian", 4), ("UInt64BigEndian", 8),
            ("Int32LittleEndian", 4), ("Int16LittleEndian", 2), ("UInt128BigEndian", 16),
        ]);
        return _random.Next(6) switch
        {
            0 => Cut(type, "frame.Length"),
            1 => Cut(type, "frame.Seconds"),
            2 => Cut(type, "frame.Ingress.Index"),
            _ => Cut(type, $"BinaryPrimitives.Read{name}(bytes[{FrameOffset(width)}..])"),
        };
    }

    /// <summary>An offset for so many bytes: mostly inside the frame.</summary>
    private string FrameOffset(int width) => _random.Next(20) switch
    {
        < 3 when _isHeaderWork => $"{_random.Next(14, 60)}",
        _ when _isHeaderWork => $"{_random.Next(Math.Max(1, 15 - width))}",
        0 => $"{_random.Next(14, 64)}",
        1 or 2 or 4 or 5 => $"(int)({Number(NumberType.Uint, 1)} % (uint)bytes.Length)",
        3 when _random.Next(3) == 0 => $"({Number(NumberType.Int, 1)} & 31)",
        _ => $"{_random.Next(Math.Max(1, 15 - width))}",
    };

    /// <summary>An index into so many elements: mostly inside.</summary>
    private string Index(int length) => _isHeaderWork ? HeaderIndex(length) : _random.Next(24) switch
    {
        0 or 2 => $"{_random.Next(length)}",
        1 => $"({Number(NumberType.Int, 1)} & {length | 3})",
        _ when (length & length - 1) == 0 => $"(int)({Number(NumberType.Uint, 1)} & {length - 1})",
        _ => $"(int)({Number(NumberType.Uint, 1)} % {length})",
    };

    private string Literal(NumberType type) => $"(({type.Name})({_random.Next(6) switch
    {
        0 => "0",
        1 => $"{type.Name}.MaxValue",
        2 => $"{type.Name}.MinValue",
        3 when type.IsSigned => $"-{_random.Next(1, 100)}",
        4 => Cut(type, $"{_random.NextInt64(long.MaxValue)}"),
        _ => $"{_random.Next(100)}",
    }}))";

    private string Condition(int depth)
    {
        var type = Any(Types);
        return _random.Next(9) switch
        {
            0 when depth > 0 => $"({Condition(depth - 1)} && {Condition(depth - 1)})",
            1 when depth > 0 => $"({Condition(depth - 1)} || {Condition(depth - 1)})",
            2 when depth > 0 => $"!({Condition(depth - 1)})",
            3 when depth > 0 => $"({Condition(depth - 1)} ^ {Condition(depth - 1)})",
            4 => $"({Number(NumberType.Int, depth - 1)} & {1 << _random.Next(8)}) != 0",
            _ => $"{Number(type, depth - 1)} {Any(["<", "<=", ">", ">=", "==", "!="])} {Number(type, depth - 1)}",
        };
    }
}
