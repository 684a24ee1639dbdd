using System.Text.RegularExpressions;

namespace Emu.Hosting;

/// <summary>Opens the ports that users name on the command line.</summary>
public static partial class PortSpecification
{
    /// <summary>How ports are written.</summary>
    public const string Kinds = "tap:NAME, raw:IFACE, pcap:IN,OUT, pcap:IN, pcap:,OUT";

    [GeneratedRegex(@"^(?<file>.+)#(?<number>\d{1,9})$")]
    private static partial Regex WithInterface { get; }

    /// <summary>Opens a port.</summary>
    /// <param name="text">
    /// <c>tap:NAME</c>, <c>raw:IFACE</c>, <c>pcap:IN,OUT</c>, <c>pcap:IN</c> or <c>pcap:,OUT</c>. <c>IN#1</c> takes only the packets of
    /// interface 1 of a capture, counted from 0, unless a file has that whole name.
    /// </param>
    /// <param name="mtu">How far frames may grow, from 68 to 9,000: 14 bytes of header and a VLAN tag come on top.</param>
    /// <exception cref="CommandException">Exit code 2: the text is no port. Exit code 1: the port cannot be had.</exception>
    public static Port Open(string text, int mtu = FrameLength.DefaultMtu)
    {
        if (mtu is < FrameLength.MinMtu or > FrameLength.MaxMtu)
            throw CommandException.Usage($"an MTU of {mtu} cannot be; take one from {FrameLength.MinMtu} to {FrameLength.MaxMtu}");
        var colon = text.IndexOf(':');
        var (kind, rest) = colon < 0 ? (text, "") : (text[..colon], text[(colon + 1)..]);
        if (rest.Length == 0) throw CommandException.Usage($"'{text}' is no port; there are {Kinds}");
        return kind switch
        {
            "tap" => new TapPort(rest, mtu),
            "raw" => new RawPort(rest, mtu),
            "pcap" => OpenCapture(text, rest, mtu),
            _ => throw CommandException.Usage($"'{kind}' in '{text}' is no kind of port; there are {Kinds}"),
        };
    }

    private static CapturePort OpenCapture(string text, string rest, int mtu)
    {
        var files = rest.Split(',');
        if (files.Length > 2 || files.All(file => file.Length == 0))
            throw CommandException.Usage($"'{text}' does not name one capture to read, one to write, or both: pcap:IN,OUT, pcap:IN, pcap:,OUT");
        var input = files[0].Length == 0 ? null : files[0];
        var output = files.Length < 2 || files[1].Length == 0 ? null : files[1];

        if (input is null || File.Exists(input) || WithInterface.Match(input) is not { Success: true } match) return new CapturePort(input, output, null, mtu);
        return new CapturePort(match.Groups["file"].Value, output, int.Parse(match.Groups["number"].Value), mtu);
    }
}
