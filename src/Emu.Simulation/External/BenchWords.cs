using System.Runtime.InteropServices;
using Emu.Compiler;

namespace Emu.Simulation;

/// <summary>
/// How the ports of a design lie in the two vectors that go through the pipes: each port in 64-bit words of its own, the lowest first. The first
/// word of the stimulus is <c>axis_resetn</c>; both vectors have at least two words.
/// </summary>
internal sealed class BenchWords
{
    private readonly Simulator _simulator;
    private readonly ulong[] _stimulus;
    private readonly ulong[] _response;

    public BenchWords(Simulator simulator)
    {
        _simulator = simulator;
        _stimulus = new ulong[StimulusWords(simulator.Design)];
        _response = new ulong[ResponseWords(simulator.Design)];
    }

    /// <summary>The bytes of the response, little-endian.</summary>
    public Span<byte> Response => MemoryMarshal.AsBytes(_response.AsSpan());

    /// <summary>The ports' connections in the bench.</summary>
    public static string Connections(Design design)
    {
        List<string> lines = [".axis_aclk(clk)", ".axis_resetn(stimulus[0])"];
        var word = 1;
        foreach (var input in design.Inputs)
        {
            lines.Add($".{VerilogPrinter.PortName(input.Name)}(stimulus[{64 * word} +: {input.Width}])");
            word += Words(input.Width);
        }
        word = 0;
        foreach (var output in design.Outputs)
        {
            lines.Add($".{VerilogPrinter.PortName(output.Name)}(response[{64 * word} +: {output.Width}])");
            word += Words(output.Width);
        }
        return "        " + string.Join(",\n        ", lines);
    }

    /// <summary>Zeros for the bits of the response above each port.</summary>
    public static string Padding(Design design)
    {
        var text = "";
        var word = 0;
        foreach (var output in design.Outputs)
        {
            var missing = 64 * Words(output.Width) - output.Width;
            if (missing > 0) text += $"    assign response[{64 * word + output.Width} +: {missing}] = {missing}'d0;\n";
            word += Words(output.Width);
        }
        var rest = 64 * (ResponseWords(design) - word);
        return rest > 0 ? $"{text}    assign response[{64 * word} +: {rest}] = {rest}'d0;\n" : text;
    }

    public static int StimulusWords(Design design) => Math.Max(2, 1 + design.Inputs.Sum(i => Words(i.Width)));

    public static int ResponseWords(Design design) => Math.Max(2, design.Outputs.Sum(o => Words(o.Width)));

    /// <summary>The bytes of the stimulus that the simulator's inputs are now.</summary>
    public ReadOnlySpan<byte> Stimulus()
    {
        _stimulus[0] = _simulator.IsInReset ? 0UL : 1UL;
        var word = 1;
        foreach (var input in _simulator.Design.Inputs)
        {
            var words = _simulator.Input(input.Name);
            words.CopyTo(_stimulus, word);
            word += words.Length;
        }
        return MemoryMarshal.AsBytes(_stimulus.AsSpan());
    }

    /// <summary>Shows the response as the simulator's outputs.</summary>
    public void Show()
    {
        var word = 0;
        foreach (var output in _simulator.Design.Outputs)
        {
            var words = _simulator.Output(output.Name);
            _response.AsSpan(word, words.Length).CopyTo(words);
            word += words.Length;
        }
    }

    private static int Words(int width) => (width + 63) / 64;
}
