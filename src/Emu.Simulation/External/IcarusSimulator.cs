using System.Globalization;
using System.Text;
using Emu.Compiler.Rtl;
using Emu.Compiler.Verilog;

namespace Emu.Simulation;

/// <summary>A design's Verilog in Icarus Verilog: four-valued, so that what is not known shows.</summary>
public sealed class IcarusSimulator : Simulator
{
    private const int DigitsPerWord = 16;
    private static readonly byte s_mark = Convert.ToByte(IcarusBench.Mark, 8);

    private readonly TemporaryFolder _folder = new();
    private readonly SimulationProcess? _process;
    private readonly BenchWords _words;
    private readonly byte[] _question;
    private readonly byte[] _answer;

    /// <summary>Prints, compiles and starts a design.</summary>
    /// <param name="design">Any design.</param>
    /// <param name="vcd">
    /// A file for the waveforms of all that has a name; null for none. A cycle is 10 ns;
    /// the rising edge is in its middle.
    /// </param>
    /// <exception cref="SimulationException">Icarus Verilog is not there or does not take the design.</exception>
    public IcarusSimulator(Design design, string? vcd = null) : base(design)
    {
        if (WhyNot is { } whyNot) throw new SimulationException(whyNot);
        _words = new BenchWords(this);
        _question = new byte[BenchWords.StimulusWords(design) * DigitsPerWord + 1];
        _answer = new byte[BenchWords.ResponseWords(design) * DigitsPerWord + 1];
        try
        {
            File.WriteAllText(_folder["design.v"], VerilogPrinter.PrintForSimulation(design));
            File.WriteAllText(_folder["bench.v"], IcarusBench.Print(design));
            OutsideTool.MustRun(
                _folder.FullName, "iverilog", "-g2005", "-o", "design.vvp", "-s", IcarusBench.Name, "design.v",
                "bench.v");
            string[] waveforms = vcd is null ? [] : ["+vcd=" + Path.GetFullPath(vcd)];
            _process = new SimulationProcess(
                "Icarus Verilog", _folder.FullName, "vvp", ["-n", "design.vvp", .. waveforms]);
            var start = _process.ReadPast((byte)'\n', IcarusBench.Ready + "\n");
            Answer();
            Printed = OfDesign(start);
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>
    /// Null when Icarus Verilog is there, otherwise a sentence that says what is missing and how to get it.
    /// </summary>
    public static string? WhyNot => OutsideTool.WhyNot("Icarus Verilog", "iverilog", "iverilog", "vvp");

    /// <inheritdoc/>
    protected override void Edge()
    {
        var stimulus = _words.Stimulus();
        for (var i = 0; i < stimulus.Length; i++)
        {
            var digits = 2 * (stimulus.Length - 1 - i);
            _question[digits] = Digit(stimulus[i] >> 4);
            _question[digits + 1] = Digit(stimulus[i] & 15);
        }
        _question[^1] = (byte)'\n';
        _process!.Write(_question);
        Answer();
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _process?.Dispose();
        _folder.Dispose();
        base.Dispose(disposing);
    }

    private static byte Digit(int nibble) => (byte)"0123456789abcdef"[nibble];

    /// <summary>Without the lines that Icarus itself prints.</summary>
    private static string OfDesign(string text) => string.Concat(
        text.Split('\n').Index().Where(line => !line.Item.StartsWith("VCD ", StringComparison.Ordinal))
            .Select(line => line.Index == 0 ? line.Item : "\n" + line.Item));

    private void Answer()
    {
        Printed = _process!.ReadPast(s_mark);
        _process!.Read(_answer);
        var response = _words.Response;
        for (var i = 0; i < response.Length; i++)
        {
            var digits = 2 * (response.Length - 1 - i);
            if (!byte.TryParse(_answer.AsSpan(digits, 2), NumberStyles.AllowHexSpecifier, null, out response[i]))
                throw new SimulationException(
                    $"an output is not known in cycle {Cycle}: {Encoding.ASCII.GetString(_answer).TrimEnd()}");
        }
        _words.Show();
    }
}
