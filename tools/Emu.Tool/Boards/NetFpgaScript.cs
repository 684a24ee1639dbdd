using System.Globalization;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>
/// A file of stimuli as a <c>run.py</c> of NetFPGA writes it, in parts that barriers end: frames of a port, or accesses
/// to registers.
/// </summary>
internal sealed class NetFpgaScript
{
    private readonly List<NetFpgaPart> _parts = [new()];
    private readonly string _file;

    /// <summary>Reads a file.</summary>
    /// <param name="file">The file.</param>
    /// <exception cref="CommandException">A line of it is none of the grammar.</exception>
    public NetFpgaScript(string file)
    {
        _file = file;
        var lines = File.ReadAllLines(file);
        for (var i = 0; i < lines.Length; i++) Read(i + 1, lines[i].Trim());
    }

    /// <summary>The parts, of which the last has no barrier behind it.</summary>
    public IReadOnlyList<NetFpgaPart> Parts => _parts;

    private void Read(int number, string line)
    {
        var part = _parts[^1];
        if (line.Length == 0 || line[0] == '#') return;
        switch (line[0])
        {
            // The counts of a barrier stand behind it: its own part has ended.
            case 'B': _parts.Add(new NetFpgaPart()); break;
            case 'N' when _parts.Count > 1: _parts[^2].Expected.Add(Number(number, line)); break;
            case 'S' or 'R' or 'W': break;
            case '@' or '+' or '*': part.Lines.Add(line); break;
            default: ReadData(number, line, part); break;
        }
    }

    /// <summary>A beat has three words, a write four, a read of stimuli four, and one of expectations two.</summary>
    private void ReadData(int number, string line, NetFpgaPart part)
    {
        var words = line[..^1].Split(',', StringSplitOptions.TrimEntries);
        switch (words)
        {
            case ["-", "-", "-", var address] when line[^1] == '.':
                part.Accesses.Add(new RegisterAccess(Window(number, address)));
                break;
            case [var address, var value, "f", "-"] when line[^1] == '.':
                part.Accesses.Add(new RegisterAccess(Window(number, address), Hexadecimal(number, value)));
                break;
            case [var address, var value] when line[^1] == '.':
                part.Accesses.Add(new RegisterAccess(Window(number, address), Hexadecimal(number, value)));
                part.Reads.Add(part.Accesses[^1]);
                break;
            case [_, _, _] when line[^1] is '.' or ',':
                part.Lines.Add(line);
                if (line[^1] == '.') part.Frames++;
                break;
            default: throw Bad(number, line);
        }
    }

    private int Number(int number, string line) =>
        int.TryParse(line[1..], CultureInfo.InvariantCulture, out var value) ? value : throw Bad(number, line);

    private uint Hexadecimal(int number, string word) =>
        uint.TryParse(word, NumberStyles.HexNumber, CultureInfo.InvariantCulture, out var value)
            ? value
            : throw Bad(number, word);

    // The window of the service is what all its accesses are to.
    private int Window(int number, string word) => (int)(Hexadecimal(number, word) % MappedRegisters.Size);

    private CommandException Bad(int number, string line) =>
        CommandException.Failure($"{_file}:{number}: '{line}' is nothing of NetFPGA's grammar");
}
