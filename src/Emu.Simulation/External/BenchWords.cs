using System.Runtime.InteropServices;
using Emu.Compiler.Rtl;
using Emu.Compiler.Verilog;

namespace Emu.Simulation;

/// <summary>
/// The layout of a design's ports in the data that goes through the pipes: each port in 64-bit words of its own, the
/// lowest first. The first word of a stimulus is the reset.
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

    /// <summary>The numbers of a design's parameters, as they stand before the name of an instance.</summary>
    public static string Parameters(Design design)
    {
        var given = design.Parameters.Select(parameter =>
            $".{VerilogPrinter.PortName(parameter.Name)}({parameter.Width}'d{parameter.Number})").ToList();
        return given.Count > 0 ? $"#({string.Join(", ", given)}) " : "";
    }

    /// <summary>The words of a stimulus.</summary>
    public static int StimulusWords(Design design) => 1 + design.Inputs.Sum(i => Words(i.Width));

    /// <summary>The words of a response.</summary>
    public static int ResponseWords(Design design) => design.Outputs.Sum(o => Words(o.Width));

    /// <summary>The bytes of the stimulus that the simulator's inputs are now.</summary>
    public ReadOnlySpan<byte> Stimulus()
    {
        _stimulus[0] = _simulator.IsInReset == _simulator.Design.Clock.IsActiveHigh ? 1UL : 0UL;
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

    /// <summary>The words of a port.</summary>
    public static int Words(int width) => (width + 63) / 64;
}
