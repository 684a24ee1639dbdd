namespace Emu.Fuzz;

/// <summary>
/// Statements that move the bytes of a frame, by few and by many, one move behind another or behind some conditions,
/// and writes between them; some send copies, too.
/// </summary>
internal sealed partial class ProgramGenerator
{
    private static readonly int[] s_places = [0, 6, 12, 12, 14, 18, 33];
    private static readonly int[] s_distances = [1, 2, 3, 4, 4, 7, 8, 20, 28, 32, 50, 64];

    private void MoveStatement(int depth)
    {
        switch (_random.Next(10))
        {
            case 0 or 1:
                Line($"frame.Insert({Any(s_places)}, {Any(s_distances)});");
                break;
            case 2 or 3:
                Line($"frame.Remove({Any(s_places)}, {Any(s_distances)});");
                break;
            case 4:
                Push(Any(s_places), Any(s_distances));
                break;
            case 9 when _random.Next(3) == 0:
                Quote(Any(s_places), Any(s_distances));
                break;
            case 9:
                Line(Any([
                    $"frame.Resize(Math.Min(frame.Length, 14 + bytes[{_random.Next(14)}]));",
                    $"frame.Resize(frame.Length - {Any(s_distances)});",
                ]));
                break;
            case 8 when _sendsCopies:
                Line(Any([
                    "frame.Send(frame.Ports);",
                    $"frame.Send(new PortSet((ulong)bytes[{_random.Next(14)}]), {_random.Next(100)});",
                    $"if ({HeaderCondition(1)}) frame.Send(PortSet.Of(new PortId({_random.Next(4)})));",
                    "frame.Send(PortSet.Of(frame.Ingress), Math.Min(frame.Length, 40));",
                ]));
                return;
            case 5 when depth < 2:
                If(depth);
                return;
            case 6 when !_hasSlowPath:
                Line($"_pair.A = {Cut(_members[0], $"bytes[{_random.Next(70)}]")};");
                return;
            default:
                Line($"bytes[{_random.Next(70)}] = {Number(NumberType.Byte, 1)};");
                return;
        }
        Line("bytes = frame.Bytes;");
    }

    /// <summary>A tag that goes in, as one writes it by hand.</summary>
    private void Push(int at, int count)
    {
        Line($"frame.Resize(frame.Length + {count});");
        Line("bytes = frame.Bytes;");
        Line($"bytes[{at}..^{count}].CopyTo(bytes[{at + count}..]);");
        Line($"bytes[{at}] = {Number(NumberType.Byte, 1)};");
    }
    /// <summary>
    /// Some bytes that are moved to the back, behind a header, or to the front, where the frame ends with them; it is
    /// cut before they are moved, or behind that.
    /// </summary>
    private void Quote(int at, int count)
    {
        Line("{");
        _indent++;
        Line(Any([
            $"var count = Math.Min(frame.Length - {at + count}, 20 + (bytes[{_random.Next(14)}] & 63));",
            $"var count = frame.Length - {at + count} - (bytes[{_random.Next(14)}] & 15);",
        ]));
        if (_random.Next(3) == 0)
        {
            Line($"bytes.Slice({at + count}, count).CopyTo(bytes[{at}..]);");
            Line($"frame.Resize({at} + count);");
        }
        else
        {
            var isCutFirst = _random.Next(2) == 0;
            Line($"frame.Resize({(isCutFirst ? $"{at + count} + count" : $"frame.Length + {count}")});");
            Line("bytes = frame.Bytes;");
            if (_random.Next(3) == 0) Line($"bytes[{_random.Next(at + 4)}] = {Number(NumberType.Byte, 1)};");
            Line($"bytes.Slice({at}, count).CopyTo(bytes[{at + count}..]);");
            if (!isCutFirst) Line($"frame.Resize({at + count} + count);");
        }
        _indent--;
        Line("}");
    }
}
