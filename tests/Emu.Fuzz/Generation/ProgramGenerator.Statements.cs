namespace Emu.Fuzz;

internal sealed partial class ProgramGenerator
{
    private const int DeepestBlock = 3;

    /// <summary>Statements in a scope of their own.</summary>
    private void Statements(int count, int depth)
    {
        var scope = _locals.Count;
        for (var i = 0; i < count; i++) Statement(depth);
        _locals.RemoveRange(scope, _locals.Count - scope);
    }

    private void Statement(int depth)
    {
        if (_isHeaderWork)
        {
            HeaderStatement(depth);
            return;
        }
        if (_onlyCounts && _random.Next(5) == 0)
        {
            AddToCount();
            return;
        }
        switch (_random.Next(_hasFrame ? 24 : 14))
        {
            case 0 or 1 or 2:
                Declare();
                break;
            case 3 or 4 or 5 or 6:
                Assign();
                break;
            case 7 or 8:
                ModifyElement();
                break;
            case 9 when depth < DeepestBlock:
                If(depth);
                break;
            case 10 when depth < DeepestBlock && _loops < 2:
                Loop(depth);
                break;
            case 11 when depth < DeepestBlock:
                Switch(depth);
                break;
            case 12:
                Exchange();
                break;
            case 13:
                Compound();
                break;
            case 14 or 15 or 16:
                WriteFrame();
                break;
            case 17:
                Line(_random.Next(3) == 0 ? $"if ({Condition(1)}) {Verdict()}" : Verdict());
                break;
            case 18:
                ResizeOrSend();
                break;
            case 19:
                Spans();
                break;
            case 20 or 21 when _hasTables:
                Tables();
                break;
            case 22 when depth > 0:
                Line($"if ({Condition(1)}) return;");
                break;
            default:
                Declare();
                break;
        }
    }

    private void Declare()
    {
        var (name, type) = (NewName("v"), Any(Types));
        Line($"{type.Name} {name} = {Number(type, _isHeaderWork ? 2 : 3)};");
        _locals.Add((name, type, false));
    }

    /// <summary>A lambda, a nullable or a tuple, used at once.</summary>
    private void Compound()
    {
        var type = Any(NumberType.All);
        var (first, name) = (NewName("c"), NewName("v"));
        switch (_random.Next(3))
        {
            case 0:
                var sign = Any(["+", "-", "*", "^"]);
                var operand = _locals.Any(l => l.Type == type) ? Variable(type) : Literal(type);
                Line($"Func<{type.Name}, {type.Name}> {first} = x => {Cut(type, $"x {sign} {operand}")};");
                Line($"var {name} = {first}({first}({Number(type, 2)}));");
                break;
            case 1:
                Line($"{type.Name}? {first} = {Condition(1)} ? {Number(type, 1)} : null;");
                Line($"var {name} = {first} ?? {Number(type, 1)};");
                break;
            default:
                Line($"var ({first}, {name}) = ({Number(type, 1)}, {Number(type, 1)});");
                _locals.Add((first, type, false));
                break;
        }
        _locals.Add((name, type, false));
    }

    private void Assign()
    {
        var targets = _locals.Where(l => !l.IsFixed)
            .Select(l => (l.Name, l.Type)).Concat(_fields).Append(Member("_pair")).ToList();
        var (name, type) = Any(targets);
        Line(_random.Next(5) switch
        {
            0 => $"unchecked {{ {name} {Any(["+=", "-=", "*=", "^=", "|=", "&="])} {Number(type, 2)}; }}",
            1 => $"unchecked {{ {name}{Any(["++", "--"])}; }}",
            2 => $"unchecked {{ {name} {Any(["<<=", ">>="])} {ShiftCount(2)}; }}",
            _ => $"{name} = {Number(type, 3)};",
        });
    }

    /// <summary>Read, modify, write: of one element or of two that may be the same.</summary>
    private void ModifyElement()
    {
        if (_structs > 0 && _random.Next(3) == 0)
        {
            ModifyPair();
            return;
        }
        var memories = _arrays.Where(a => !a.IsRom).ToList();
        if (memories.Count == 0)
        {
            Assign();
            return;
        }
        var (name, type, length, _) = Any(memories);
        Line(_random.Next(3) switch
        {
            0 => $"unchecked {{ {name}[{Index(length)}] {Any(["+=", "-=", "^="])} {Number(type, 2)}; }}",
            1 => $"{name}[{Index(length)}] = {Cut(type, $"{name}[{Index(length)}] + {Number(type, 1)}")};",
            _ => $"{name}[{Index(length)}] = {Number(type, 2)};",
        });
    }

    private void ModifyPair()
    {
        switch (_random.Next(4))
        {
            case 0:
                var name = NewName("r");
                Line($"ref var {name} = ref _pairs[{Index(_structs)}];");
                Line($"{name}.A = {Number(_members[0], 2)};");
                Line($"{name}.B = {Number(_members[1], 2)};");
                break;
            case 1:
                Line($"_pairs[{Index(_structs)}] = _pairs[{Index(_structs)}];");
                break;
            case 2:
                Line($"_pair = _pairs[{Index(_structs)}];");
                break;
            default:
                Line(
                    $"_pairs[{Index(_structs)}] = new Pair {{ A = {Number(_members[0], 1)}, "
                    + $"B = {Number(_members[1], 1)} }};");
                break;
        }
    }

    private void If(int depth)
    {
        Line($"if ({(_isHeaderWork ? HeaderCondition(2) : Condition(2))})");
        Block(_random.Next(1, 4), depth + 1);
        if (_random.Next(2) != 0) return;
        Line("else");
        Block(_random.Next(1, 3), depth + 1);
    }

    private void Block(int count, int depth, params IEnumerable<string> last)
    {
        Line("{");
        _indent++;
        Statements(count, depth);
        foreach (var line in last) Line(line);
        _indent--;
        Line("}");
    }

    private void Loop(int depth)
    {
        _loops++;
        var name = NewName("i");
        var scope = _locals.Count;
        switch (_random.Next(4))
        {
            case 0:
                Line($"for (var {name} = 0; {name} < ({Number(NumberType.Int, 1)} & 7); {name}++)");
                break;
            case 1:
                Line($"for (var {name} = {_random.Next(1, 9)}; {name} > 0; {name} -= {_random.Next(1, 4)})");
                break;
            case 2 when _hasFrame && _loops == 1:
                Line($"for (var {name} = 0; {name} < bytes.Length; {name} += {_random.Next(1, 20)})");
                break;
            default:
                Line($"for (var {name} = 0; {name} < {_random.Next(1, 9)}; {name}++)");
                break;
        }
        _locals.Add((name, NumberType.Int, true));
        Block(
            _random.Next(1, 3),
            depth + 1,
            _random.Next(3) == 0 ? [$"if ({Condition(1)}) {Any(["break", "continue"])};"] : []);
        _locals.RemoveRange(scope, _locals.Count - scope);
        _loops--;
    }

    private void Switch(int depth)
    {
        Line($"switch ({Number(NumberType.Int, 2)} & {Any([3, 7])})");
        Line("{");
        _indent++;
        foreach (var label in Enumerable.Range(0, 7)
            .Where(_ => _random.Next(2) == 0).Select(n => $"case {n}:").Append("default:"))
        {
            Line(label);
            Block(_random.Next(1, 3), depth + 1, "break;");
        }
        _indent--;
        Line("}");
    }

    private void Exchange()
    {
        var type = Any(_fields).Type;
        var own = _fields.Where(f => f.Type == type)
            .Select(f => f.Name).Concat(_locals.Where(l => l.Type == type && !l.IsFixed).Select(l => l.Name)).ToList();
        var (a, b) = (Any(own), Any(own));
        Line($"({a}, {b}) = ({b}, {Number(type, 1)});");
    }

    private void WriteFrame()
    {
        var (name, type, width) = Any(
            [
                ("UInt16BigEndian", "ushort", 2), ("UInt32BigEndian", "uint", 4), ("UInt64LittleEndian", "ulong", 8),
                ("Int32BigEndian", "int", 4),
            ]);
        Line(_random.Next(3) switch
        {
            0 =>
                $"BinaryPrimitives.Write{name}(bytes[{FrameOffset(width)}..], "
                + $"{Number(NumberType.All.First(t => t.Name == type), 2)});",
            1 => $"unchecked {{ bytes[{FrameOffset(1)}] {Any(["+=", "^=", "-="])} {Number(NumberType.Byte, 2)}; }}",
            _ => $"bytes[{FrameOffset(1)}] = {Number(NumberType.Byte, 2)};",
        });
    }

    private string Verdict() => _random.Next(6) switch
    {
        0 => "frame.Reply();",
        1 => "frame.Drop();",
        2 => $"frame.ForwardTo(new PortSet({Number(NumberType.Ulong, 1)}));",
        3 => $"frame.ForwardTo(new PortId((byte)({Number(NumberType.Byte, 1)} & 3)));",
        _ => "frame.Flood();",
    };

    private void ResizeOrSend()
    {
        if (_random.Next(2) == 0)
        {
            Line(_random.Next(3) == 0
                ? $"if ({Condition(1)}) frame.Send(frame.Ports);"
                : $"frame.Send(new PortSet({Number(NumberType.Ulong, 1)}));");
            return;
        }
        Line(_random.Next(8) switch
        {
            0 => $"frame.Resize(frame.Length + ({Number(NumberType.Int, 1)} & 15));",
            1 => $"frame.Resize(frame.Length - {_random.Next(1, 4)});",
            2 => $"frame.Resize({Number(NumberType.Int, 1)} & 2047);",
            _ => $"frame.Resize(14 + ({Number(NumberType.Int, 1)} & 127));",
        });
        Line("bytes = frame.Bytes;");
    }

    private void Spans()
    {
        var part = NewName("s");
        Line($"var {part} = bytes[{FrameOffset(4)}..];");
        Line(_random.Next(6) switch
        {
            0 => $"{part}.Fill({Number(NumberType.Byte, 1)});",
            1 => $"{part}[..{_random.Next(4)}].Clear();",
            2 => $"{part}[..{_random.Next(1, 5)}].CopyTo(bytes[{_random.Next(6)}..]);",
            3 => $"if ({part}.Length > 2) {part}[^1] ^= {part}[1];",
            4 =>
                $"_pair.A = {Cut(
                    _members[0],
                    $"{part}.IndexOf({Number(NumberType.Byte, 1)}) + InternetChecksum.Compute({part})")};",
            _ => $"if ({part}.SequenceEqual(bytes[{_random.Next(4)}..])) {Verdict()}",
        });
    }

    private void Tables()
    {
        var mac = _isHeaderWork
            ? $"new Ethernet(frame).{Any(["Source", "Destination"])}"
            : $"new MacAddress({Number(NumberType.Ulong, 1)} & {Any([3, 15])})";
        var ip = _isHeaderWork
            ? $"new IPv4Address(bytes[{Any([5, 11])}])"
            : $"new IPv4Address({Number(NumberType.Uint, 1)} & {Any([3, 15])})";
        var found = NewName("t");
        switch (_random.Next(4))
        {
            case 0:
                Line($"if ({Condition(1)}) _stations.Set({mac}, PortSet.Of(frame.Ingress), frame.Seconds);");
                break;
            case 1:
                Line($"_hosts.Set({ip}, {Number(NumberType.All.First(t => t.Name == "ushort"), 2)}, frame.Seconds);");
                break;
            case 2:
                Line($"if (_stations.TryGet({mac}, frame.Seconds, out var {found})) frame.ForwardTo({found});");
                break;
            default:
                var use = _isHeaderWork && !_changesFrame
                    ? $"frame.ForwardTo(new PortSet({found}));"
                    : $"bytes[{_random.Next(14)}] = unchecked((byte){found});";
                Line($"if (_hosts.TryGet({ip}, frame.Seconds, out var {found})) {{ {use} }}");
                break;
        }
    }
}
