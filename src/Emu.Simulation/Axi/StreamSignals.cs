using Emu.Compiler.Rtl;

namespace Emu.Simulation;

/// <summary>
/// The signals of one AXI4-Stream of a simulated design, as they are in the cycle before the next edge.
/// </summary>
public sealed class StreamSignals
{
    private StreamSignals(Design design, string prefix, Func<string, ulong[]> forward, Func<string, ulong[]> backward)
    {
        Name = prefix;
        BusBytes = Width(design, prefix + "_tdata") / 8;
        if (BusBytes is not (8 or 16 or 32 or 64))
            throw new ArgumentException($"{prefix}_tdata has {8 * BusBytes} bits, not 64, 128, 256 or 512");
        foreach (var (signal, width) in new[]
        {
            ("_tkeep", BusBytes), ("_tuser", 128), ("_tlast", 1), ("_tvalid", 1), ("_tready", 1),
        })
            if (Width(design, prefix + signal) is var actual && actual != width)
                throw new ArgumentException($"{prefix}{signal} has {actual} bits, not {width}");
        (Data, Keep, Last, Valid, User) =
            (forward(prefix + "_tdata"), forward(prefix + "_tkeep"), forward(
                prefix + "_tlast"), forward(prefix + "_tvalid"), forward(prefix + "_tuser"));
        Ready = backward(prefix + "_tready");
    }

    /// <summary><c>s_axis</c> or <c>m_axis</c>.</summary>
    public string Name { get; }

    /// <summary>Bytes of a beat.</summary>
    public int BusBytes { get; }

    /// <summary><c>tdata</c>, the lowest 64 bits first.</summary>
    public ulong[] Data { get; }

    /// <summary><c>tkeep</c>, a bit for each byte.</summary>
    public ulong[] Keep { get; }

    /// <summary><c>tuser</c>: two words.</summary>
    public ulong[] User { get; }

    /// <summary><c>tlast</c>.</summary>
    public ulong[] Last { get; }

    /// <summary><c>tvalid</c>.</summary>
    public ulong[] Valid { get; }

    /// <summary><c>tready</c>.</summary>
    public ulong[] Ready { get; }

    /// <summary>True if a beat is there.</summary>
    public bool IsValid => Valid[0] != 0;

    /// <summary>True if the beat is the last of its frame.</summary>
    public bool IsLast => Last[0] != 0;

    /// <summary>True if the next edge transfers a beat.</summary>
    public bool IsTransfer => IsValid && Ready[0] != 0;

    /// <summary>The stream into a design, <c>s_axis</c>.</summary>
    /// <exception cref="ArgumentException">The design lacks a signal of it, or one has another width.</exception>
    public static StreamSignals Into(Simulator simulator)
    {
        ArgumentNullException.ThrowIfNull(simulator);
        return new(simulator.Design, "s_axis", simulator.Input, simulator.Output);
    }

    /// <summary>The stream out of a design, <c>m_axis</c>.</summary>
    /// <exception cref="ArgumentException">The design lacks a signal of it, or one has another width.</exception>
    public static StreamSignals OutOf(Simulator simulator)
    {
        ArgumentNullException.ThrowIfNull(simulator);
        return new(simulator.Design, "m_axis", simulator.Output, simulator.Input);
    }

    private static int Width(Design design, string port) =>
        design.Inputs.FirstOrDefault(p => p.Name == port)?.Width
        ?? design.Outputs.FirstOrDefault(p => p.Name == port)?.Width
        ?? throw new ArgumentException($"the design has no {port}");
}
