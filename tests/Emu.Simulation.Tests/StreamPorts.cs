using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation.Tests;

/// <summary>The streams of a design in the making: its inputs, and flops that hold beats.</summary>
internal sealed class StreamPorts(int busBytes)
{
    private readonly InputPort _data = new("s_axis_tdata", 8 * busBytes);
    private readonly InputPort _keep = new("s_axis_tkeep", busBytes);
    private readonly InputPort _last = new("s_axis_tlast", 1);
    private readonly InputPort _user = new("s_axis_tuser", 128);
    private readonly InputPort _valid = new("s_axis_tvalid", 1);
    private readonly InputPort _ready = new("m_axis_tready", 1);

    public IEnumerable<InputPort> Inputs => [_data, _keep, _last, _user, _valid, _ready];

    public int Parts => (8 * busBytes + 127) / 128 + 3;

    public Value Valid => _valid.All();

    public Value Ready => _ready.All();

    /// <summary>The beat that comes in: parts of the data, then keep, last and user.</summary>
    public Value[] Beat =>
    [
        .. Enumerable.Range(0, Parts - 3).Select(i => new InputBits(_data, 128 * i, Math.Min(128, 8 * busBytes))),
        _keep.All(), _last.All(), _user.All(),
    ];

    public Flop[] BeatFlops(string name) => [.. Beat.Select((part, i) => new Flop($"{name}{i}_reg", part.Width, null))];

    /// <summary>The outputs for a beat and the two valids.</summary>
    public IEnumerable<OutputPort> Outputs(IReadOnlyList<Value> beat, Value valid, Value ready) =>
    [
        new("m_axis_tdata", [.. beat.Take(Parts - 3)]), new("m_axis_tkeep", beat[^3]), new("m_axis_tlast", beat[^2]),
        new("m_axis_tuser", beat[^1]), new("m_axis_tvalid", valid), new("s_axis_tready", ready),
    ];
}
