using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation.Tests;

/// <summary>Flops, RAMs and reset, a cycle at a time.</summary>
public sealed class ManagedSimulatorTests
{
    private static readonly InputPort s_up = new("up", 1);

    private static Design Counter(int width, out Flop count)
    {
        count = new Flop("count_reg", width, 3) { Comment = "Demo.Count" };
        var more = new Wire("more", Rtl.Add(count, Rtl.Number(width, 1)));
        count.Set(more, s_up.All());
        return Rtl.Of(
            "counter", [s_up], [new OutputPort("count", count), new OutputPort("is_odd", Rtl.Extract(count, 0, 1))],
            count, more);
    }

    [Theory]
    [InlineData(8)]
    [InlineData(64)]
    [InlineData(65)]
    [InlineData(128)]
    public void A_counter_counts_when_enabled_and_holds_its_reset_value_in_reset(int width)
    {
        using var simulator = new ManagedSimulator(Counter(width, out var count));
        Assert.Equal(3UL, simulator.Output("count")[0]);
        simulator.Input("up")[0] = 1;
        simulator.Step();
        Assert.Equal(3, (int)simulator[count]);
        simulator.IsInReset = false;
        for (var i = 0; i < 5; i++) simulator.Step();
        Assert.Equal((8UL, 0UL), (simulator.Output("count")[0], simulator.Output("is_odd")[0]));
        simulator.Input("up")[0] = 0;
        simulator.Step();
        Assert.Equal(8UL, simulator.Output("count")[0]);
        simulator.IsInReset = true;
        simulator.Step();
        Assert.Equal((3UL, 1UL, 8L), (simulator.Output("count")[0], simulator.Output("is_odd")[0], simulator.Cycle));
    }

    [Fact]
    public void Another_simulator_starts_at_power_up_and_shares_nothing()
    {
        using var first = new ManagedSimulator(Counter(8, out var count)) { IsInReset = false };
        first.Input("up")[0] = 1;
        first.Step();
        using var second = first.Another();
        Assert.Equal((4, 3), ((int)first[count], (int)second[count]));
        Assert.Equal(0UL, second.Input("up")[0]);
    }

    [Fact]
    public void A_flop_without_a_reset_value_goes_on_in_reset()
    {
        var flop = new Flop("free_reg", 4, null);
        flop.Set(Rtl.Add(flop, Rtl.Number(4, 1)));
        using var simulator = new ManagedSimulator(Rtl.Of("free", [], [new OutputPort("value", flop)], flop));
        for (var i = 0; i < 3; i++) simulator.Step();
        Assert.Equal(3UL, simulator.Output("value")[0]);
    }

    [Fact]
    public void Flops_take_their_values_all_at_once()
    {
        var (a, b) = (new Flop("a_reg", 70, 1), new Flop("b_reg", 70, 2));
        a.Set(b);
        b.Set(a);
        using var simulator =
            new ManagedSimulator(Rtl.Of("swap", [], [new OutputPort("both", a, b)], a, b)) { IsInReset = false };
        simulator.Step();
        Assert.Equal((2, 1), ((int)simulator[a], (int)simulator[b]));
        Assert.Equal([2UL, 1UL << 6, 0UL], simulator.Output("both"));
    }

    [Theory]
    [InlineData(5)]
    [InlineData(64)]
    [InlineData(100)]
    public void Reads_of_a_RAM_show_what_was_there_before_the_write_of_the_cycle(int width)
    {
        var (address, data, write, enable) = (
            new InputPort("address", 2),
            new InputPort("data", width),
            new InputPort("write", 1),
            new InputPort("enable", 1));
        var ram =
            new Ram("ram", width, 4, [10, 11, 12, 13]) { Write = new RamWrite(address.All(), data.All(), write.All()) };
        var distributed = new RamRead("now", ram, address.All(), isRegistered: false);
        var block = new RamRead("later", ram, address.All(), isRegistered: true, enable.All());
        var seen = new Flop("seen_reg", width, null).Set(distributed);
        using var simulator = new ManagedSimulator(Rtl.Of("memory", [address, data, write, enable],
            [new OutputPort("seen", seen), new OutputPort("later_out", block)], ram, distributed, block, seen));

        (ulong Seen, ulong Later) Step(ulong at, ulong number, bool writes, bool enables)
        {
            (simulator.Input("address")[0], simulator.Input("data")[0]) = (at, number);
            (simulator.Input("write")[0], simulator.Input("enable")[0]) = (writes ? 1UL : 0, enables ? 1UL : 0);
            simulator.Step();
            return (simulator.Output("seen")[0], simulator.Output("later_out")[0]);
        }

        // In reset too: RAMs have none.
        Assert.Equal((12UL, 0UL), Step(2, 30, writes: true, enables: false));
        Assert.Equal(30, (int)simulator[ram, 2]);
        simulator.IsInReset = false;
        Assert.Equal((30UL, 30UL), Step(2, 31, writes: true, enables: true));
        Assert.Equal(31, (int)simulator[distributed]);
        Assert.Equal((10UL, 30UL), Step(0, 9, writes: false, enables: false));
        Assert.Equal((31UL, 31UL), Step(2, 9, writes: false, enables: true));
        Assert.Equal((13UL, 13UL), Step(3, 0, writes: true, enables: true));
        Assert.Equal([10, 11, 31, 0], Enumerable.Range(0, 4).Select(i => (int)simulator[ram, i]));
    }

    [Fact]
    public void An_expression_of_any_depth_is_compiled_without_recursion()
    {
        const int depth = 60_000;
        var flop = new Flop("deep_reg", 32, 1);
        Value value = flop;
        for (var i = 0; i < depth; i++) value = Rtl.Add(value, Rtl.Number(32, 1));
        flop.Next = value;
        using var simulator =
            new ManagedSimulator(Rtl.Of("deep", [], [new OutputPort("value", value)], flop)) { IsInReset = false };
        Assert.Equal(1UL + depth, simulator.Output("value")[0]);
        simulator.Step();
        Assert.Equal(1UL + 2 * depth, simulator.Output("value")[0]);
    }

    [Fact]
    public void Division_by_zero_is_zero_and_the_least_number_by_minus_one_wraps()
    {
        var (a, b) = (new InputPort("a", 8), new InputPort("b", 8));
        var flops = new[]
        {
                Opcode.DivideUnsigned, Opcode.DivideSigned, Opcode.RemainderUnsigned, Opcode.RemainderSigned,
        }
            .Select(o => new Flop($"{o}_reg", 8, null).Set(new Operation(o, 8, a.All(), b.All()))).ToList();
        using var simulator = new ManagedSimulator(
            Rtl.Of("divide", [a, b], [new OutputPort("all", [.. flops])], flops));
        ulong Step(ulong x, ulong y)
        {
            (simulator.Input("a")[0], simulator.Input("b")[0]) = (x, y);
            Assert.All(flops, f => Assert.True(simulator[f.Next] <= 0xFF));
            var looked = flops.Select(f => simulator[f.Next]).ToList();
            simulator.Step();
            Assert.Equal(looked, flops.Select(f => simulator[f]));
            return simulator.Output("all")[0];
        }

        Assert.Equal(0UL, Step(7, 0));
        Assert.Equal(0x00_80_80_00UL, Step(0x80, 0xFF));
        Assert.Equal(0xFF_01_FD_7CUL, Step(0xF9, 2));
    }

    [Fact]
    public void A_trace_has_every_name_and_every_change()
    {
        var text = new StringWriter();
        using (var simulator = new ManagedSimulator(Counter(4, out _)))
        {
            simulator.TraceTo(text);
            simulator.Input("up")[0] = 1;
            simulator.Step();
            simulator.IsInReset = false;
            simulator.Step();
            simulator.Step();
        }
        Assert.Equal("""
            $timescale 1ns $end
            $scope module counter $end
            $var wire 1 ! axis_aclk $end
            $var wire 1 " axis_resetn $end
            $var wire 1 # up $end
            $var wire 4 $ count [3:0] $end
            $var wire 1 % is_odd $end
            $comment all of it $end
            $scope module all_of_it $end
            $var wire 4 & more [3:0] $end
            $scope module Demo $end
            $comment Demo.Count $end
            $var reg 4 ' count_reg [3:0] $end
            $upscope $end
            $upscope $end
            $upscope $end
            $enddefinitions $end
            #0
            0!
            0"
            1#
            b0011 $
            1%
            b0100 &
            b0011 '
            #5
            #10
            1!
            1"
            #15
            0!
            #20
            1!
            b0100 $
            0%
            b0101 &
            b0100 '
            #25
            0!
            #30

            """, text.ToString());
    }
}
