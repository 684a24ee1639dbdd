using System.Globalization;
using System.Text;
using Emu.Hosting;
using Emu.Simulation;

namespace Emu.Tool;

/// <summary>
/// Frames in the form of NetFPGA's <c>.axi</c> files: a beat a line, <c>tdata, tkeep, tuser</c> in hexadecimal, a comma
/// behind it, or a full stop behind the last beat of a frame.
/// </summary>
internal static class AxiStimulus
{
    private const int SourceLow = 16;
    private const int UserDigits = 32;

    /// <summary>The lines of a frame, the length and the source port in its <c>tuser</c>.</summary>
    /// <param name="frame">Without FCS, at least a byte.</param>
    /// <param name="port">The port of the service that it comes to.</param>
    /// <param name="busBits">Bits of the stream.</param>
    public static string Write(ReadOnlySpan<byte> frame, int port, int busBits)
    {
        var lanes = busBits / 8;
        var user = ((ulong)(uint)frame.Length | (ulong)StreamUser.Bit(new PortId(port)) << SourceLow)
            .ToString("x", CultureInfo.InvariantCulture);
        var text = new StringBuilder();
        for (var at = 0; at < frame.Length; at += lanes)
        {
            var beat = frame[at..Math.Min(at + lanes, frame.Length)];
            for (var i = lanes - 1; i >= 0; i--) text.Append((i < beat.Length ? beat[i] : (byte)0).ToString("x2"));
            text.Append(", ");
            for (var nibble = lanes / 4 - 1; nibble >= 0; nibble--)
                text.Append(((1 << Math.Clamp(beat.Length - 4 * nibble, 0, 4)) - 1).ToString("x"));
            text.Append(", ").Append(user.PadLeft(UserDigits, '0')).Append(at + lanes < frame.Length ? ",\n" : ".\n");
        }
        return text.ToString();
    }

    /// <summary>The frames of a file, by the bytes that <c>tkeep</c> names.</summary>
    /// <param name="file">A log or a stimulus.</param>
    /// <exception cref="CommandException">A line has another form, or the last frame has no end.</exception>
    public static IReadOnlyList<byte[]> Read(string file)
    {
        var frames = new List<byte[]>();
        var frame = new List<byte>();
        foreach (var (number, line) in File.ReadLines(file).Select((line, i) => (i + 1, line.Trim())))
        {
            if (line.Length == 0 || "#*+@".Contains(line[0])) continue;
            var parts = line[..^1].Split(',', StringSplitOptions.TrimEntries);
            if (parts.Length != 3 || line[^1] is not ('.' or ',') || !TryBeat(parts[0], parts[1], frame))
                throw CommandException.Failure($"{file}:{number}: no beat 'tdata, tkeep, tuser' in hexadecimal");
            if (line[^1] != '.') continue;
            frames.Add([.. frame]);
            frame.Clear();
        }
        return frame.Count == 0 ? frames : throw CommandException.Failure($"{file}: the last frame has no end");
    }

    private static bool TryBeat(string data, string keep, List<byte> frame)
    {
        if (data.Length % 2 != 0 || keep.Length * 8 != data.Length) return false;
        for (var lane = 0; lane < data.Length / 2; lane++)
        {
            if (!byte.TryParse(keep.AsSpan(keep.Length - 1 - lane / 4, 1), NumberStyles.HexNumber, null, out var kept))
                return false;
            if ((kept >> lane % 4 & 1) == 0) continue;
            if (!byte.TryParse(data.AsSpan(data.Length - 2 - 2 * lane, 2), NumberStyles.HexNumber, null, out var value))
                return false;
            frame.Add(value);
        }
        return true;
    }
}
