namespace Emu.Fuzz;

/// <summary>
/// Services whose frames share nothing but counters, so that a pipeline leaves what has no bound to a slow path: both
/// look at what the constructor wrote and at literals, and both count.
/// </summary>
internal sealed partial class ProgramGenerator
{
    private readonly bool _hasSlowPath;

    private void SlowPathState()
    {
        for (var i = _random.Next(1, 4); i > 0; i--) Array(Any(s_narrow), Any([4, 8, 16, 64, 128, 11]), isRom: true);
        Counters(_random.Next(1, 4));
    }

    private void Counters(int count)
    {
        _counters = count;
        for (var i = 0; i < _counters; i++) Line($"public Counter Events{i} {{ get; }} = new();");
    }

    private void SlowPathStatement(int depth)
    {
        switch (_random.Next(14))
        {
            case 0 or 1:
                Declare();
                break;
            case 2 or 3 when depth < 2:
                If(depth);
                break;
            case 4 when depth < 1:
                Switch(depth);
                break;
            case 5 or 6:
                Line($"if ({HeaderCondition(1)}) {Verdict()}");
                break;
            case 7 or 8:
                Line(Count());
                break;
            case 9:
                FaultNowAndThen();
                break;
            case 10 when _changesFrame:
                WriteFrame();
                break;
            case 11 or 12:
                WithoutBound();
                break;
            case 13 when depth < 2 && _loops == 0:
                BoundedLoop(depth);
                break;
            default:
                LookUp();
                break;
        }
    }

    /// <summary>Adds to a counter: one, or a number of any width.</summary>
    private string Count() => $"Events{_random.Next(_counters)}.{_random.Next(5) switch
    {
        0 or 1 => "Increment()",
        2 => "Add((ulong)frame.Length)",
        3 => $"Add({_random.Next(2000)})",
        _ => $"Add({Number(NumberType.Ulong, 1)})",
    }};";

    /// <summary>
    /// A number from an array of the constructor's, or from a literal, now and then one that is not there.
    /// </summary>
    private void LookUp()
    {
        var name = NewName("l");
        if (_random.Next(2) == 0)
        {
            var (array, type, length, _) = Any(_arrays);
            Line($"var {name} = {array}[{Index(length)}];");
            _locals.Add((name, type, false));
            return;
        }
        Line(_random.Next(3) switch
        {
            0 => $"var {name} = \"0123456789abcdef\"u8[{Number(NumberType.Byte, 1)} & 15];",
            1 => $"var {name} = \"a literal of more than 64 bytes, so that a block RAM holds its bytes\"u8"
                + $"[{Number(NumberType.Byte, 1)} & 63];",
            _ => $"var {name} = (byte)(bytes[{FrameOffset(2)}..]"
                + $".StartsWith(\"{Any(["\\0", "ab", "\\u0002\\0"])}\"u8) ? 1 : 2);",
        });
        _locals.Add((name, NumberType.Byte, false));
    }

    /// <summary>
    /// Code that a pipeline leaves to its slow path, for some frames or for all but those with the least of a field.
    /// </summary>
    private void WithoutBound()
    {
        var name = NewName("u");
        switch (_random.Next(4))
        {
            case 0:
                var field = $"(bytes[{Any([11, 14, 15])}] & {Any([1, 3])})";
                Line($"var {name} = bytes[{_random.Next(14, 24)} + {field} * {Any([1, 4])}];");
                _locals.Add((name, NumberType.Byte, false));
                break;
            case 1:
                Line($"if ({HeaderCondition(1)}) frame.Send(frame.Ports);");
                break;
            case 2:
                var place = $"bytes[bytes[11] + {_random.Next(12)}]";
                Line($"if (bytes[5] == {_random.Next(4)}) {place} ^= {Number(NumberType.Byte, 1)};");
                break;
            default:
                Line($"if (bytes[11] == {_random.Next(4)})");
                Line($"for (var {name} = 0; {name} < bytes.Length; {name} += {_random.Next(1, 9)})");
                _locals.Add((name, NumberType.Int, true));
                Line($"{{ {Any(["", $"if (bytes[{name}] > 100) "])}{Count()} }}");
                _locals.RemoveAt(_locals.Count - 1);
                break;
        }
    }
}
