using Emu.Compiler.IR;
using Emu.Compiler.Rtl;
using Emu.Simulation;

namespace Emu.Compiler.Tests;

/// <summary>
/// A design with one unit between ports. Each output is a register without a reset: after a step it shows the value of
/// the cycle that the step ended.
/// </summary>
/// <param name="name">The name of the module.</param>
internal sealed class UnitDesign(string name)
{
    /// <summary>The netlist in which the unit is made.</summary>
    public Netlist Netlist { get; } = Begin(new Netlist(new Design(name)));

    /// <summary>Bits from outside.</summary>
    public InputBits In(string port, int width) => new(Netlist.Input(port, width), 0, width);

    /// <summary>Bytes from outside, the first in the lowest bits.</summary>
    public List<Value> Bytes(string port, int count)
    {
        var input = Netlist.Input(port, 8 * count);
        return [.. Enumerable.Range(0, count).Select(i => new InputBits(input, 8 * i, 8))];
    }

    /// <summary>Shows values, the first in the lowest bits.</summary>
    public void Out(string port, params IReadOnlyList<Value> values)
    {
        Netlist.Begin($"shown: {port}");
        Netlist.Output(Shown(port), [.. values.Select(value => (Value)Netlist.Registered(Shown(port), value))]);
    }

    /// <summary>The name of an output, which nothing inside a unit has.</summary>
    public static string Shown(string port) => $"shown_{port}";

    private static Netlist Begin(Netlist netlist)
    {
        netlist.Begin("ports");
        return netlist;
    }
}

/// <summary>Steps a design by the names of its ports.</summary>
internal sealed class UnitBench : IDisposable
{
    private readonly Simulator _simulator;

    /// <summary>Takes a design out of reset.</summary>
    /// <param name="design">The design.</param>
    /// <param name="outside">True to step it in Icarus Verilog too, in lockstep.</param>
    public UnitBench(UnitDesign design, bool outside)
    {
        _simulator = Simulator(design.Netlist.Design, outside);
        Reset(2);
    }

    /// <summary>A simulator; in lockstep with Icarus Verilog where the outside is asked, too.</summary>
    public static Simulator Simulator(Design design, bool outside)
    {
        var managed = new ManagedSimulator(design);
        if (!outside) return managed;
        if (IcarusSimulator.WhyNot is { } whyNot) Assert.Skip(whyNot);
        return new LockstepSimulator(managed, new IcarusSimulator(design));
    }

    /// <summary>Sets an input.</summary>
    public void Set(string port, UInt128 bits)
    {
        var words = _simulator.Input(port);
        words[0] = (ulong)bits;
        if (words.Length > 1) words[1] = (ulong)(bits >> 64);
    }

    /// <summary>Sets an input of many bytes.</summary>
    public void Set(string port, ReadOnlySpan<byte> bytes)
    {
        var words = _simulator.Input(port);
        Array.Clear(words);
        for (var i = 0; i < bytes.Length; i++) words[i / 8] |= (ulong)bytes[i] << 8 * (i % 8);
    }

    /// <summary>An output.</summary>
    public UInt128 Get(string port)
    {
        var words = _simulator.Output(UnitDesign.Shown(port));
        return words.Length > 1 ? new UInt128(words[1], words[0]) : words[0];
    }

    /// <summary>True if an output is not 0.</summary>
    public bool Is(string port) => Get(port) != 0;

    /// <summary>An output of many bytes.</summary>
    public byte[] Bytes(string port, int count)
    {
        var words = _simulator.Output(UnitDesign.Shown(port));
        return [.. Enumerable.Range(0, count).Select(i => (byte)(words[i / 8] >> 8 * (i % 8)))];
    }

    /// <summary>Takes an edge.</summary>
    public void Step() => _simulator.Step();

    /// <summary>Holds reset for some edges.</summary>
    public void Reset(int cycles)
    {
        _simulator.IsInReset = true;
        for (var i = 0; i < cycles; i++) Step();
        _simulator.IsInReset = false;
    }

    public void Dispose() => _simulator.Dispose();
}
