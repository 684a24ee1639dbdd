using System.Globalization;
using System.Text.RegularExpressions;
using Emu.Compiler.IR;

namespace Emu.Compiler.Verilog;

/// <summary>The ports of a Verilog module, in the style of Verilog-2001 (IEEE 1364-2005 §12.3.4).</summary>
/// <param name="ports">The ports: direction, width, name; no width where it is not a plain number.</param>
internal sealed partial class VerilogHeader(IReadOnlyList<(string Direction, int? Width, string Name)> ports)
{
    private static readonly IReadOnlyList<string> s_clock = ["clk", "rst"];

    /// <summary>The inputs that every module has: the clock, the reset, and the bit that makes a call.</summary>
    private static readonly IReadOnlyList<string> s_common = [.. s_clock, "valid"];

    /// <summary>The header of a module; null if the text has no such module.</summary>
    public static VerilogHeader? Of(string text, string module)
    {
        var plain = Comment().Replace(text, " ");
        var start = Regex.Match(plain, $@"\bmodule\s+{Regex.Escape(module)}\b");
        if (!start.Success) return null;
        var end = plain.IndexOf(");", start.Index, StringComparison.Ordinal);
        return new VerilogHeader(
        [
            .. Port().Matches(plain[start.Index..(end < 0 ? plain.Length : end)]).Select(port =>
                (port.Groups["direction"].Value, WidthOf(port.Groups["range"].Value), port.Groups["name"].Value)),
        ]);
    }

    /// <summary>The ports that a module has to have.</summary>
    public static VerilogHeader Wanted(IEnumerable<CorePort> inputs, IEnumerable<CorePort> outputs, bool isHandshake) =>
        new(
        [
            .. s_common.Select(name => ("input", (int?)1, name)),
            .. inputs.Select(port => ("input", (int?)port.Width, port.Name)),
            .. outputs.Select(port => ("output", (int?)port.Width, port.Name)),
            .. isHandshake ? [("output", (int?)1, "done")] : Array.Empty<(string, int?, string)>(),
        ]);

    /// <summary>The ports of a module that stands at pins.</summary>
    public static VerilogHeader AtPins(IEnumerable<CorePin> pins) => new(
    [
        .. s_clock.Select(name => ("input", (int?)1, name)),
        .. pins.Select(pin => (pin.IsInput ? "output" : "input", (int?)pin.Width, pin.Name)),
    ]);

    /// <summary>The ports that another does not have, as pins.</summary>
    public IReadOnlyList<CorePin> Beyond(VerilogHeader other) =>
    [
        .. Ports.Where(port => other.Ports.All(known => known.Name != port.Name))
            .Select(port => new CorePin(port.Name, port.Width ?? 1, port.Direction == "input")),
    ];

    /// <summary>True if it has the ports of another, and so many more; a width that is computed may be any.</summary>
    public bool Has(VerilogHeader other, int more = 0) =>
        Ports.Count == other.Ports.Count + more && other.Ports.All(wanted => Ports.Any(port =>
            port.Direction == wanted.Direction && port.Name == wanted.Name
            && (port.Width is null || port.Width == wanted.Width)));

    /// <summary>The ports as a list for people.</summary>
    public override string ToString() => string.Join(", ", Ports.Select(port =>
        $"{port.Direction} {(port.Width is 1 or null ? "" : $"[{port.Width - 1}:0] ")}{port.Name}"));

    /// <summary>The ports: direction, width, name.</summary>
    public IReadOnlyList<(string Direction, int? Width, string Name)> Ports => ports;

    private static int? WidthOf(string range)
    {
        if (range.Length == 0) return 1;
        var plain = Plain().Match(range);
        return plain.Success ? int.Parse(plain.Groups[1].Value, CultureInfo.InvariantCulture) + 1 : null;
    }

    [GeneratedRegex(@"//[^\n]*|/\*.*?\*/", RegexOptions.Singleline)]
    private static partial Regex Comment();

    [GeneratedRegex(
        @"\b(?<direction>input|output|inout)\s+(?:wire|reg)?\s*(?:signed)?\s*(?<range>\[[^\]]*\])?\s*(?<name>\w+)")]
    private static partial Regex Port();

    [GeneratedRegex(@"^\[\s*(\d+)\s*:\s*0\s*\]$")]
    private static partial Regex Plain();
}
