namespace Emu.Fuzz;

/// <summary>
/// Parts of tables are copied into the frame, at computed places and behind its end, in some frames and over one
/// another; between writes at computed places, and copies that are sent. Now and then one does not fit.
/// </summary>
internal sealed partial class ProgramGenerator
{
    private readonly bool _loadsText;

    private void LoadState()
    {
        var length = _random.Next(3, 200);
        Line($"private readonly byte[] _loaded = [{Numbers(length, 256)}];");
        Line($"private readonly byte[] _more = [{Numbers(Any([1, 8, 64, 90]), 256)}];");
        Line($"private readonly byte[] _begins = [{Numbers(Slots, Math.Max(1, length / 2))}];");
        Line($"private readonly byte[] _sizes = [{Numbers(Slots, length / 2 + Any([1, 1, 1, 9]))}];");
    }

    private void LoadText()
    {
        Line("var at = " + Any(["source & 63;", "14 + (source & 15) * 4;", "kind % 99;", "40 + (kind & 7);"]));
        Line($"var part = {Any(["source", "kind", "bytes[5]"])} & {Slots - 1};");
        Line("int length = _sizes[part];");
        var isBehind = _random.Next(2) == 0;
        if (isBehind)
        {
            Line("var end = frame.Length;");
            Line($"frame.Resize(end + length + {_random.Next(30)});");
        }
        else if (_random.Next(2) == 0) Line("if (frame.Length < 300) frame.Resize(300);");
        Line("bytes = frame.Bytes;");
        for (var copies = _random.Next(1, 4); copies > 0; copies--)
        {
            var place = isBehind && _random.Next(3) > 0 ? "end" : "at";
            if (_random.Next(3) == 0) Line($"bytes[{place}] = {Any(["source", "(byte)kind"])};");
            var text = _random.Next(4) switch
            {
                0 => $"_more.AsSpan(0, Math.Min({Any(["length", "source"])}, _more.Length))",
                1 => $"_loaded.AsSpan({_random.Next(3)}, length)",
                _ => "_loaded.AsSpan(_begins[part], length)",
            };
            var copy = $"{text}.CopyTo(bytes[({place}{Any(["", "", " + 3", " + part"])})..]);";
            Line(_random.Next(3) == 0 ? $"if ((source & {_random.Next(1, 8)}) != 0) {copy}" : copy);
            if (_random.Next(8) == 0) Line($"frame.Send(PortSet.Of(new PortId({_random.Next(4)})));");
            if (_random.Next(3) == 0) Line($"bytes[{place} + length] = 7;");
        }
    }
}
