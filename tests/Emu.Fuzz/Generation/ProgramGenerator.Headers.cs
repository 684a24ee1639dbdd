namespace Emu.Fuzz;

/// <summary>
/// Services such as pipelines are made of: offsets are constants, loops have bounds, what is written does not lie far
/// behind what was read. State is read, modified and written under conditions on headers,
/// by keys of which there are few.
/// </summary>
internal sealed partial class ProgramGenerator
{
    /// <summary>Most of what services compute with; wide numbers are rare there.</summary>
    private static readonly IReadOnlyList<NumberType> s_narrow =
        [.. NumberType.All.Where(t => t.Width <= 32), .. NumberType.All.Where(t => t.Width <= 16), NumberType.Ulong];

    private static readonly NumberType s_ushort = NumberType.All.First(t => t.Name == "ushort");

    private readonly Dictionary<int, string> _indices = [];
    private readonly bool _isHeaderWork;
    private readonly bool _changesFrame;
    private readonly bool _resizes;
    private readonly bool _walksPayload;
    private readonly bool _movesFrame;
    private readonly bool _foldsPayload;
    private readonly bool _classifies;
    private readonly bool _passesOver;
    private readonly bool _sumsWalked;
    private readonly bool _looksUp;
    private readonly bool _walksLengths;
    private readonly bool _mapsPayload;
    private readonly bool _sendsCopies;
    private int _counters;

    private IReadOnlyList<NumberType> Types => _isHeaderWork ? s_narrow : NumberType.All;

    private void HeaderState()
    {
        if (_hasSlowPath)
        {
            SlowPathState();
            return;
        }
        for (var i = _random.Next(1, 5); i > 0; i--) Field(Any(s_narrow));
        for (var i = _random.Next(4); i > 0; i--)
            Array(Any(s_narrow), Any([4, 8, 16, 16, 32, 64, 64, 11]), isRom: _random.Next(5) == 0);
        if (_random.Next(3) == 0) Structs(Any([4, 16, 64]));
        Line("private Pair _pair;");
        Counters(_random.Next(3));
        if (_random.Next(6) == 0) Units();
        if (_random.Next(3) == 0) Tables(Any([4, 8, 16, 64, 256]), Any([4, 16, 32]), Any([1, 2, 5, 300]));
    }

    /// <summary>Names what elements are mostly chosen by: a few keys from the header.</summary>
    private void Indices()
    {
        if (_random.Next(3) == 0)
            Line($"if (bytes.Length < {Any([20, 34, 60])}) {Any(["return;", "{ frame.Drop(); return; }"])}");
        foreach (var length in _arrays.Select(a => a.Length)
            .Append(_structs).Append(_hasUnits ? 4 : 0).Where(l => l > 0).Distinct().ToList())
        {
            var name = NewName("i");
            // Of 11 elements there are 16 now and then.
            var mask = (length & length - 1) == 0 ? length - 1 : Any([7, 7, 15]);
            Line(
                $"var {name} = "
                + $"{Any(["bytes[11]", "bytes[5]", "(bytes[11] ^ bytes[5])", "bytes[14]", LateKey(), LateKey()])} "
                + $"& {mask};");
            _indices[length] = name;
        }
    }

    private void HeaderStatement(int depth)
    {
        if (_movesFrame && _random.Next(2) == 0)
        {
            MoveStatement(depth);
            return;
        }
        if (_hasSlowPath)
        {
            SlowPathStatement(depth);
            return;
        }
        switch (_random.Next(24))
        {
            case 0 or 1:
                Declare();
                break;
            case 2 or 3 or 4:
                UpdateField();
                break;
            case 5 or 6 or 7 or 8 when _arrays.Any(a => !a.IsRom):
                UpdateElement();
                break;
            case 9 when _structs > 0:
                ModifyPair();
                break;
            case 10 or 11 or 12 when depth < 2:
                If(depth);
                break;
            case 13 when depth < 1:
                Switch(depth);
                break;
            case 14:
                Line($"if ({HeaderCondition(1)}) {Verdict()}");
                break;
            case 15 or 16 when _hasTables:
                Tables();
                break;
            case 17 when _counters > 0:
                Line(Count());
                break;
            case 18:
                FaultNowAndThen();
                break;
            case 19 when depth > 0:
                Line($"if ({HeaderCondition(1)}) return;");
                break;
            case 20 or 21 when (_changesFrame || _resizes) && !_shiftsFrame && !_loadsText:
                if (_resizes && _random.Next(3) == 0) GrowOrShrink();
                else WriteFrame();
                break;
            case 22 when _walksPayload:
                WalkPayload();
                break;
            case 22 when _hasUnits:
                Line($"_ = _units[{Index(4)}].Step({Number(_unit, 1)});");
                break;
            case 23 when depth < 2 && _loops == 0:
                BoundedLoop(depth);
                break;
            default:
                Recall();
                break;
        }
    }

    /// <summary>
    /// A key, equal for all frames of a flow, that is known some stages after the header:
    /// sums and products of 32 bits follow one another.
    /// </summary>
    private string LateKey()
    {
        var key = "(uint)(bytes[5] + 1)";
        for (var i = _random.Next(1, 5); i > 0; i--)
            key =
                $"({key} {Any(["+", "*", "-"])} {Any(["bytes[11] * 77u", "bytes[5] * 1000003u", "bytes[0]", "9u"])} ^ "
                + $"{_random.Next(256)}u)";
        return $"(int)(unchecked{key} >> {_random.Next(20)})";
    }

    /// <summary>A number from the header that is known some stages after it.</summary>
    private string Late(NumberType type)
    {
        var late = $"{Number(NumberType.Uint, 1)}";
        for (var i = _random.Next(1, 6); i > 0; i--)
            late = $"({late} {Any(["+", "*", "-", "+"])} {Number(NumberType.Uint, 1)})";
        return Cut(type, late);
    }

    /// <summary>A value to write: known with the header, or later.</summary>
    private string New(NumberType type) => _random.Next(2) == 0 ? Late(type) : Number(type, 2);

    /// <summary>A register, read, modified and written.</summary>
    private void UpdateField()
    {
        var (name, type) = Any([.. _fields, Member("_pair")]);
        Line(_random.Next(7) switch
        {
            0 => $"unchecked {{ {name}{Any(["++", "--"])}; }}",
            1 => $"{name} = {New(type)};",
            2 => $"if ({name} {Any(["<", ">", "!=", "=="])} {New(type)}) {name} = {New(type)};",
            3 => $"if ({HeaderCondition(1)}) unchecked {{ {name}++; }}",
            4 => $"{name} = {Cut(type, $"({name} + {New(type)}) {Any(["^", "-", "+"])} {Number(type, 1)}")};",
            _ => $"unchecked {{ {name} {Any(["+=", "-=", "^=", "|=", "&="])} {New(type)}; }}",
        });
    }

    private void UpdateElement()
    {
        var (name, type, length, _) = Any(_arrays.Where(a => !a.IsRom).ToList());
        var element = $"{name}[{Index(length)}]";
        Line(_random.Next(6) switch
        {
            0 => $"{element} = {New(type)};",
            1 => $"unchecked {{ {element}++; }}",
            2 => $"if ({element} {Any(["<", "==", "!="])} {New(type)}) {element} = {New(type)};",
            3 => $"{element} = {Cut(type, $"{name}[{Index(length)}] {Any(["+", "^"])} {New(type)}")};",
            _ => $"unchecked {{ {element} {Any(["+=", "-=", "^="])} {New(type)}; }}",
        });
    }

    /// <summary>State decides on the verdict, on other state, or goes into the frame.</summary>
    private void Recall()
    {
        var (text, type) = StateNumber();
        var name = NewName("w");
        Line($"var {name} = {text};");
        switch (_random.Next(_changesFrame ? 5 : 4))
        {
            case 0:
                Line($"if ({name} {Any(["==", "!=", "<", ">"])} {New(type)}) {Verdict()}");
                break;
            case 1:
                Line($"frame.ForwardTo(new PortSet({As(NumberType.Ulong, (name, type))}));");
                break;
            case 2:
                Line($"if ({name} == {Number(type, 1)})");
                Block(_random.Next(1, 3), DeepestBlock);
                break;
            case 3:
                var (target, its) = Any(_fields);
                Line($"{target} = {As(its, (name, type))};");
                break;
            default:
                Line($"bytes[{FrameOffset(1)}] = {As(NumberType.Byte, (name, type))};");
                break;
        }
    }

    private (string Text, NumberType Type) StateNumber()
    {
        if (_hasSlowPath || _arrays.Count > 0 && _random.Next(2) == 0)
        {
            var (name, type, length, _) = Any(_arrays);
            return ($"{name}[{Index(length)}]", type);
        }
        if (_structs > 0 && _random.Next(2) == 0) return Member($"_pairs[{Index(_structs)}]");
        return _random.Next(4) == 0 ? Member("_pair") : Any(_fields);
    }

    /// <summary>A statement that faults for some frames, between writes before and after.</summary>
    private void FaultNowAndThen()
    {
        var name = NewName("x");
        Line(_random.Next(5) switch
        {
            0 => $"var {name} = bytes[{_random.Next(14, 64)}];",
            1 => $"var {name} = checked((byte)(kind & {Any([255, 256, 511])} | source));",
            2 => $"var {name} = {_random.Next(1, 200)} / (bytes[{_random.Next(12)}] & {Any([1, 3, 7, 6])});",
            3 => $"var {name} = checked((byte)({StateNumber().Text} & 0x1FF));",
            _ when _arrays.Count > 0 && Any(_arrays) is var array =>
                $"var {name} = {array.Name}[{Number(NumberType.Byte, 1)} & {array.Length | array.Length - 1}];",
            _ => $"var {name} = bytes[(bytes[11] & 3) + {_random.Next(11, 60)}];",
        });
    }

    private void GrowOrShrink()
    {
        var by = _random.Next(1, 9);
        switch (_random.Next(5))
        {
            case 0: // a tag goes in
                Line($"frame.Resize(frame.Length + {by});");
                Line("bytes = frame.Bytes;");
                Line($"bytes[12..^{by}].CopyTo(bytes[{12 + by}..]);");
                Line($"bytes[12] = {Number(NumberType.Byte, 1)};");
                return;
            case 1: // a tag comes out
                Line($"bytes[{12 + by}..].CopyTo(bytes[12..]);");
                Line($"frame.Resize(frame.Length - {by});");
                break;
            case 2:
                Line($"frame.Resize({_random.Next(14, 100)});");
                break;
            default:
                Line($"frame.Resize(frame.Length {Any(["+", "-"])} {by});");
                break;
        }
        Line("bytes = frame.Bytes;");
    }

    private void WalkPayload()
    {
        var name = NewName("s");
        var from = Any([14, 14, 34, _random.Next(40)]);
        switch (_random.Next(4))
        {
            case 0:
                Line($"var {name} = InternetChecksum.Compute(bytes[{from}..]);");
                break;
            case 1:
                Line($"var {name} = (ushort)Crc32.Compute(bytes[{from}..]);");
                break;
            case 2:
                Line($"var {name} = (ushort)0;");
                Line(
                    $"for (var at = {from}; at < bytes.Length; at++) {name} = unchecked((ushort)({name} "
                    + $"{Any(["+", "^"])} bytes[at]));");
                break;
            default:
                Line($"var {name} = unchecked((ushort)bytes[{from}..].IndexOf({Number(NumberType.Byte, 1)}));");
                break;
        }
        _locals.Add((name, s_ushort, true));
    }

    private void BoundedLoop(int depth)
    {
        _loops++;
        var name = NewName("n");
        Line($"for (var {name} = 0; {name} < {_random.Next(2, 5)}; {name}++)");
        _locals.Add((name, NumberType.Int, true));
        Block(1, depth + 1, _random.Next(3) == 0 ? [$"if ({HeaderCondition(1)}) break;"] : []);
        _locals.RemoveAt(_locals.Count - 1);
        _loops--;
    }

    /// <summary>A comparison of headers, now and then of state with headers.</summary>
    private string HeaderCondition(int depth)
    {
        if (_random.Next(4) == 0)
            return $"{Late(NumberType.Uint)} {Any(["<", ">", "!="])} {Number(NumberType.Uint, 1)}";
        if (_random.Next(3) != 0) return Condition(depth);
        var (text, type) = StateNumber();
        return $"{text} {Any(["==", "!=", "<"])} {Number(type, depth - 1)}";
    }

    private string HeaderLeaf(NumberType type) => _random.Next(8) switch
    {
        0 => Literal(type),
        1 or 2 => As(type, ($"bytes[{FrameOffset(1)}]", NumberType.Byte)),
        3 or 4 => FrameNumber(type),
        _ => As(type, Any(_locals.Select(l => (l.Name, l.Type)).ToList())),
    };

    private string HeaderIndex(int length)
    {
        if (_random.Next(6) != 0 && _indices.TryGetValue(length, out var name)) return name;
        return _random.Next(3) == 0
            ? $"{_random.Next(length)}"
            : $"({Number(NumberType.Byte, 1)} & {((length & length - 1) == 0 ? length - 1 : 7)})";
    }
}
