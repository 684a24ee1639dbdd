using System.Text.RegularExpressions;

namespace Emu.Hosting;

/// <summary>Opens the ports that users name on the command line.</summary>
public static partial class PortSpecification
{
    /// <summary>The syntax of ports.</summary>
    public const string Kinds = "tap:NAME, raw:IFACE, device:NAME, pcap:IN,OUT, pcap:IN, pcap:,OUT";

    private const string Tap = "tap";
    private const string Raw = "raw";
    private const string Device = "device";
    private const string Capture = "pcap";

    [GeneratedRegex(@"^(?<file>.+)#(?<number>\d{1,9})$")]
    private static partial Regex WithInterface { get; }

    /// <summary>The file that swallows everything: any number of ports may write there.</summary>
    private const string NullDevice = "/dev/null";

    /// <summary>
    /// Checks, before any is opened and any file is emptied, that ports can be those of one run: no interface is two
    /// ports, and no file that is written is another port's or the recording.
    /// </summary>
    /// <param name="texts">The ports as users write them; what is no port is left to <see cref="Open"/>.</param>
    /// <param name="recording">The file that the run is recorded in; null for none.</param>
    /// <exception cref="CommandException">Exit code 2: they cannot.</exception>
    public static void CheckTogether(IReadOnlyList<string> texts, string? recording = null)
    {
        ArgumentNullException.ThrowIfNull(texts);
        var live = texts.Where(text => Split(text).Kind is Tap or Raw or Device);
        if (live.GroupBy(text => text).FirstOrDefault(same => same.Count() > 1) is { } twice)
            throw CommandException.Usage($"{twice.Key} is given twice; an interface is one port of a run");

        var uses = texts.SelectMany(FilesOf).ToList();
        if (recording is not null)
            uses.Add(new FileUse(texts.Count, $"--record {recording}", recording, IsWritten: true));
        foreach (var group in uses.GroupBy(use => CanonicalPath.Of(use.Path)).Where(group => group.Key != NullDevice))
        {
            if (group.FirstOrDefault(use => use.IsWritten) is not { } writer) continue;
            if (group.FirstOrDefault(use => use.User != writer.User) is not { } other) continue;
            throw CommandException.Usage(
                $"{writer.By} would overwrite what {other.By} {(other.IsWritten ? "writes" : "reads")}, "
                + $"{group.Key}; name another file");
        }
    }

    /// <summary>Opens a port.</summary>
    /// <param name="text">
    /// <c>tap:NAME</c>, <c>raw:IFACE</c>, <c>device:NAME</c>, <c>pcap:IN,OUT</c>, <c>pcap:IN</c> or <c>pcap:,OUT</c>.
    /// <c>IN#1</c> takes only the packets of interface 1 of a capture, counted from 0, unless a file has that whole
    /// name. <c>device:</c> needs the package Emu.SharpPcap.
    /// </param>
    /// <param name="mtu">The MTU that frames may grow to, from 68 to 9,000:
    /// 14 bytes of header and a VLAN tag come on top.</param>
    /// <exception cref="CommandException">
    /// Exit code 2: the text is no port. Exit code 1: the port cannot be had.
    /// </exception>
    public static Port Open(string text, int mtu = FrameLength.DefaultMtu)
    {
        if (mtu is < FrameLength.MinMtu or > FrameLength.MaxMtu)
            throw CommandException.Usage(
                $"an MTU of {mtu} cannot be; take one from {FrameLength.MinMtu} to {FrameLength.MaxMtu}");
        var (kind, rest) = Split(text);
        if (rest.Length == 0) throw CommandException.Usage($"'{text}' is no port; there are {Kinds}");
        return kind switch
        {
            Tap => new TapPort(rest, mtu),
            Raw => new RawPort(rest, mtu),
            Device => DevicePorts.Open(text, rest, mtu),
            Capture => OpenCapture(text, rest, mtu),
            _ => throw CommandException.Usage($"'{kind}' in '{text}' is no kind of port; there are {Kinds}"),
        };
    }

    /// <summary>The port that reads a capture, and writes another if one is named.</summary>
    public static string OfCapture(string input, string? output) =>
        output is null ? $"{Capture}:{input}" : $"{Capture}:{input},{output}";

    /// <summary>True if the text names captures, and no interface of the machine.</summary>
    public static bool IsCapture(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return Split(text).Kind == Capture;
    }

    private static (string Kind, string What) Split(string text) =>
        text.IndexOf(':') is var colon and >= 0 ? (text[..colon], text[(colon + 1)..]) : (text, "");

    private static CapturePort OpenCapture(string text, string rest, int mtu)
    {
        if (!TryParseCapture(rest, out var input, out var number, out var output))
            throw CommandException.Usage(
                $"'{text}' does not name one capture to read, one to write, or both: pcap:IN,OUT, pcap:IN, pcap:,OUT");
        return new CapturePort(input, output, number, mtu);
    }

    private static bool TryParseCapture(string rest, out string? input, out int? number, out string? output)
    {
        var files = rest.Split(',');
        input = files[0].Length == 0 ? null : files[0];
        output = files.Length < 2 || files[1].Length == 0 ? null : files[1];
        number = null;
        if (input is not null && !File.Exists(input) && WithInterface.Match(input) is { Success: true } match)
        {
            input = match.Groups["file"].Value;
            number = int.Parse(match.Groups["number"].Value);
        }
        return files.Length <= 2 && (input ?? output) is not null;
    }

    private static IEnumerable<FileUse> FilesOf(string text, int port)
    {
        var (kind, rest) = Split(text);
        if (kind != Capture || !TryParseCapture(rest, out var input, out _, out var output)) yield break;
        if (input is not null) yield return new FileUse(port, text, input, IsWritten: false);
        if (output is not null) yield return new FileUse(port, text, output, IsWritten: true);
    }

    /// <summary>A file of a run.</summary>
    /// <param name="User">The number of the port; behind the last port's that of the recording.</param>
    /// <param name="By">The option or port that names it, as the user wrote it.</param>
    /// <param name="Path">The path of the file.</param>
    /// <param name="IsWritten">True if it is written, false if it is read.</param>
    private sealed record FileUse(int User, string By, string Path, bool IsWritten);
}
