namespace Emu.Fuzz;

/// <summary>
/// Bytes that a header counts are taken out of a frame, behind a constant place or a computed one, in some frames or
/// all of them, while others are moved by a constant; between writes and copies. Others are written at computed places.
/// </summary>
internal sealed partial class ProgramGenerator
{
    private readonly bool _shiftsFrame;

    private void ShiftFrame()
    {
        Line("var at = "
            + Any(["source & 63;", "source;", "14 + (source & 15) * 4;", "kind % 99;", "40 + (kind & 7);"]));
        var what = _random.Next(3);
        if (what > 0) TakeOut();
        if (what < 2) Place();
        if (_random.Next(5) == 0) Line("frame.Resize(frame.Length - 3);");
        else if (_random.Next(6) == 0) Line("frame.Resize(frame.Length + 5);");
    }

    /// <summary>Values that are written at places that are computed, some over others.</summary>
    private void Place()
    {
        var isBehind = _random.Next(2) == 0;
        if (isBehind)
        {
            Line("var end = frame.Length;");
            Line($"frame.Resize(end + {12 + _random.Next(30)});");
        }
        Line("bytes = frame.Bytes;");
        var hasOther = _random.Next(3) == 0;
        for (var writes = _random.Next(1, 5); writes > 0; writes--)
        {
            var place = isBehind && (!hasOther || _random.Next(2) == 0) ? "end" : "at";
            if (_random.Next(2) == 0) place += $" + {_random.Next(12)}";
            var write = _random.Next(4) switch
            {
                0 => $"BinaryPrimitives.WriteUInt16BigEndian(bytes[({place})..], kind);",
                1 => $"BinaryPrimitives.WriteUInt32BigEndian(bytes[({place})..], kind * 77u);",
                2 => $"BinaryPrimitives.WriteUInt64LittleEndian(bytes[({place})..], frame.Time);",
                _ => $"bytes[{place}] = {Any(["source", "(byte)kind", "5"])};",
            };
            Line(_random.Next(3) == 0 ? $"if ((source & {_random.Next(1, 8)}) != 0) {write}" : write);
            if (_random.Next(8) == 0) Line($"frame.Send(PortSet.Of(new PortId({_random.Next(4)})));");
        }
    }

    private void TakeOut()
    {
        if (_random.Next(3) == 0) Line($"frame.Bytes[{_random.Next(14)}] = {_random.Next(256)};");
        if (_random.Next(4) == 0) Line($"frame.Send(PortSet.Of(new PortId({_random.Next(4)})));");
        if (_random.Next(4) == 0) Line("frame.Resize(frame.Length - 4);");
        else if (_random.Next(6) == 0) Line("frame.Resize(frame.Length + 20);");
        var isChosen = _random.Next(2) == 0;
        if (isChosen)
        {
            Line($"if ((bytes[{_random.Next(14)}] & {_random.Next(1, 8)}) != 0)");
            Line("{");
            _indent++;
        }
        Shift();
        if (isChosen)
        {
            _indent--;
            Line("}");
            if (_random.Next(2) == 0)
                Line($"else frame.{Any(["Insert", "Remove"])}({Any(s_places)}, {Any(s_distances)});");
        }
        Line("bytes = frame.Bytes;");
        if (_random.Next(4) == 0) Line($"frame.Send(PortSet.Of(new PortId({_random.Next(4)})), {_random.Next(90)});");
        for (var writes = _random.Next(4); writes > 0; writes--)
            Line($"bytes[{_random.Next(70)}] = {Any(["source", "(byte)kind", $"{_random.Next(256)}"])};");
    }

    private void Shift()
    {
        var field = $"bytes[{_random.Next(14)}]";
        var count = Any([
            field, $"{field} % {2 + _random.Next(60)}", $"({field} & 15) * 4", $"frame.Length - {field}",
            $"Math.Min(frame.Length - 34, {field} * {1 + _random.Next(8)})", $"({field} << 3 | 4)",
        ]);
        var place = _random.Next(3) > 0
            ? $"{Any([0, 14, 14, 32, 34, 50, 64, _random.Next(130)])}"
            : Any([
                $"12 + (bytes[{_random.Next(12)}] & 7)", $"14 + bytes[{_random.Next(14)}]", "frame.Length / 2",
                $"(bytes[{_random.Next(12)}] & 7) * 16", "frame.Length",
            ]);
        Line($"frame.Remove({place}, {count});");
    }
}
