using Emu.Compiler.Devices;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;
using Emu.Services;

namespace Emu.Compiler.Tests;

/// <summary>Gates behind what comes late are few, and compute the same.</summary>
public sealed class TimingCorrectionTests
{
    private const int Inputs = 8;

    private readonly Netlist _n = new(new Design("gates"));
    private readonly List<Flop> _flops;

    public TimingCorrectionTests()
    {
        _n.Begin("gates");
        _flops = [.. Enumerable.Range(0, Inputs).Select(i => _n.AddFlop($"input_{i}", 1, 0))];
        foreach (var flop in _flops) flop.Next = flop;
    }

    [Fact]
    public void A_row_of_equal_gates_becomes_a_tree()
    {
        var all = _n.Registered("all", _flops.Skip(1).Aggregate((Value)_flops[0], _n.And), 0);
        Assert.Equal(2.8, new StaticTiming(_n.Design, Device.Default).Longest);
        Assert.Equal(1.2, Run(levels: 1).Longest);
        Assert.All(Enumerable.Range(0, 1 << Inputs), bits => Assert.Equal(bits == 0xFF, Compute(all.Next, bits)));
    }

    [Fact]
    public void What_comes_late_selects_between_the_outcomes_of_both_its_values()
    {
        var word = _n.AddFlop("word", 64, 0);
        word.Next = word;
        var late = _n.Equal(word, new Constant(64, 0x1234_5678_9ABC_DEF0));
        Value Alternate(Value so, int i) => i % 2 == 0 ? _n.And(so, _flops[i]) : _n.Or(so, _flops[i]);
        var end = _n.Registered("end", Enumerable.Range(0, Inputs).Aggregate(late, Alternate), 0);
        var before = new StaticTiming(_n.Design, Device.Default);
        Assert.Equal(Inputs * 0.4, before.Longest - before.LevelsOf(late), 2);
        var after = Run(levels: 4);
        Assert.True(after.Longest - after.LevelsOf(late) < 1, $"{after.Longest} levels");
    }

    [Fact]
    public void A_row_of_choices_becomes_a_tree()
    {
        var chosen = Enumerable.Range(1, 3).Aggregate(
            (Value)_flops[0], (so, i) => _n.Select(_flops[i], _flops[i + 4], so));
        var end = _n.Registered("end", chosen, 0);
        List<bool> before = [.. Table([end])];
        Assert.Equal(1.2, new StaticTiming(_n.Design, Device.Default).Longest);
        Assert.Equal(0.8, Run(levels: 1).Longest);
        Assert.Equal(before, Table([end]));
    }

    /// <summary>On this bus a gate is made that an earlier one had taken the place of.</summary>
    [Fact]
    public void What_was_there_before_may_be_made_again()
    {
        var echo = new IcmpEcho(IPv4Address.Parse("10.0.0.2"), MacAddress.Parse("02:00:00:00:00:02"));
        var compiled = HardwareCompiler.Compile(echo, new HardwareOptions { BusBits = 128 }, Layout.Engine);
        Assert.Equal(Layout.Engine, compiled.Layout);
    }

    /// <summary>Operands of a comparison need not wait for the choice.</summary>
    [Fact]
    public void A_comparison_is_one_of_each_of_what_a_late_bit_selects()
    {
        Flop Word(string name)
        {
            var word = _n.AddFlop(name, 8, 0);
            return (Flop)(word.Next = word);
        }
        var (a, b, c, d) = (Word("a"), Word("b"), Word("c"), Word("d"));
        var selected = _n.Select(_n.Equal(a, b), c, d);
        _n.Registered("end", _n.And(_n.Or(_n.And(_n.Equal(selected, a), _flops[0]), _flops[1]), _flops[2]), 0);
        var before = new StaticTiming(_n.Design, Device.Default).Longest;
        Assert.InRange(Run(levels: 5).Longest, 0, before - 1);
    }

    [Fact]
    public void A_circuit_that_keeps_to_the_budget_stays_as_it_is()
    {
        var row = _flops.Skip(1).Aggregate((Value)_flops[0], _n.And);
        var all = _n.Registered("all", row, 0);
        Run(levels: 3);
        Assert.Same(row, all.Next);
    }

    /// <summary>The report speaks of values as the layout made them.</summary>
    [Fact]
    public void What_was_in_the_circuit_has_the_levels_of_what_took_its_place()
    {
        var row = _flops.Skip(1).Aggregate((Value)_flops[0], _n.And);
        var not = _n.Registered("not", _n.Not(row), 0);
        var before = not.Next;
        var timing = Run(levels: 1);
        Assert.NotSame(before, not.Next);
        Assert.Equal(1.2, timing.LevelsOf(row));
        Assert.Equal(1.2, timing.LevelsOf(before));
    }

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Gates_at_random_compute_the_same(int seed)
    {
        var random = new Random(seed);
        List<Value> values = [.. _flops];
        Value Any() => values[Math.Max(0, values.Count - 1 - random.Next(random.Next(2) == 0 ? 2 : values.Count))];
        for (var i = 0; i < 40; i++)
        {
            var made = random.Next(5) switch
            {
                0 => _n.And(Any(), Any()),
                1 => _n.Or(Any(), Any()),
                2 => _n.Xor(Any(), Any()),
                3 => _n.Select(Any(), Any(), Any()),
                _ => _n.Not(Any()),
            };
            values.Add(random.Next(8) == 0 ? _n.AddWire("wire", made) : made);
        }
        List<Flop> ends = [.. values.TakeLast(4).Select(value => _n.Registered("end", value, 0))];
        List<bool> before = [.. Table(ends)];
        var longest = new StaticTiming(_n.Design, Device.Default).Longest;
        Assert.InRange(Run(levels: 1).Longest, 0, longest);
        Assert.Equal(before, Table(ends));
    }

    public static TheoryData<int> Seeds => [.. Enumerable.Range(0, 50)];

    private StaticTiming Run(int levels) => TimingCorrection.Run(_n, Device.Default, levels);

    private IEnumerable<bool> Table(List<Flop> ends) =>
        ends.SelectMany(end => Enumerable.Range(0, 1 << Inputs).Select(bits => Compute(end.Next, bits)));

    /// <summary>A bit, by the bits of the inputs.</summary>
    private bool Compute(Value root, int bits)
    {
        var order = new CombinationalOrder();
        order.Add(root);
        var known = new Dictionary<Value, UInt128>(ReferenceEqualityComparer.Instance);
        foreach (var value in order.Values)
        {
            UInt128 Of(Operation operation, int i) =>
                i < operation.Operands.Count ? known[operation.Operands[i]] : 0;
            known[value] = value switch
            {
                Constant constant => constant.Bits,
                Flop flop => (UInt128)(bits >> _flops.IndexOf(flop) & 1),
                Wire wire => known[wire.Source],
                Operation operation =>
                    Arithmetic.Compute(operation, Of(operation, 0), Of(operation, 1), Of(operation, 2)),
                _ => throw new InvalidOperationException($"{value}"),
            };
        }
        return known[root] != 0;
    }
}
