using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation.Tests.External;

/// <summary>
/// The contract as plainly as it can be written: every value by <see cref="Arithmetic.Compute"/>,
/// everything anew in every cycle.
/// </summary>
internal sealed class ComputedSimulator : Simulator
{
    private readonly Dictionary<Flop, UInt128> _flops = [];
    private readonly Dictionary<Ram, UInt128[]> _rams = [];
    private readonly Dictionary<RamRead, UInt128> _reads = [];
    private readonly Dictionary<Value, UInt128> _values = [];

    public ComputedSimulator(Design design) : base(design)
    {
        foreach (var flop in design.Flops) _flops[flop] = flop.Reset ?? 0;
        foreach (var ram in design.Rams)
        {
            _rams[ram] = new UInt128[ram.Depth];
            for (var i = 0; i < ram.Initial?.Count; i++) _rams[ram][i] = ram.Initial![i];
            foreach (var read in ram.Reads) _reads[read] = 0;
        }
        Show();
    }

    protected override void Edge()
    {
        _values.Clear();
        var flops = _flops.ToDictionary(f => f.Key, f =>
            IsInReset && f.Key.Reset is { } reset ? reset : IsOn(f.Key.Enable) ? Of(f.Key.Next) : f.Value);
        var reads = _reads.Where(r => r.Key.IsRegistered)
            .ToDictionary(r => r.Key, r => IsOn(r.Key.Enable) ? Word(r.Key) : r.Value);
        var written = _rams.Keys.Where(r => r.Write is { } write && IsOn(write.Enable)).ToList();
        var writes = written.Select(r => (Ram: r, Address: (int)Of(r.Write!.Address), Data: Of(r.Write.Data))).ToList();
        foreach (var (flop, next) in flops) _flops[flop] = next;
        foreach (var (read, word) in reads) _reads[read] = word;
        foreach (var (ram, address, data) in writes) _rams[ram][address] = data;
        Show();
    }

    private UInt128 Word(RamRead read) => _rams[read.Ram][(int)Of(read.Address)];

    private bool IsOn(Value? enable) => enable is null || Of(enable) == 1;

    private void Show()
    {
        _values.Clear();
        foreach (var output in Design.Outputs)
        {
            var words = Output(output.Name);
            Array.Clear(words);
            var low = 0;
            foreach (var part in output.Parts)
            {
                var bits = Of(part);
                for (var bit = 0; bit < part.Width; bit++, low++)
                    words[low / 64] |= (ulong)(bits >> bit & 1) << (low % 64);
            }
        }
    }

    private UInt128 Of(Value value)
    {
        if (_values.TryGetValue(value, out var known)) return known;
        return _values[value] = value switch
        {
            Constant constant => constant.Bits,
            InputBits input => Bits(input),
            Flop flop => _flops[flop],
            Wire wire => Of(wire.Source),
            RamRead { IsRegistered: true } read => _reads[read],
            RamRead read => Word(read),
            Operation o => Arithmetic.Compute(
                o,
                Of(o.Operands[0]),
                o.Operands.Count > 1 ? Of(o.Operands[1]) : 0,
                o.Operands.Count > 2 ? Of(o.Operands[2]) : 0),
            _ => throw new InvalidOperationException(value.GetType().Name),
        };
    }

    private UInt128 Bits(InputBits input)
    {
        var words = Input(input.Port.Name);
        UInt128 bits = 0;
        for (var bit = 0; bit < input.Width; bit++)
            bits |= (UInt128)(words[(input.Low + bit) / 64] >> ((input.Low + bit) % 64) & 1) << bit;
        return bits;
    }
}
