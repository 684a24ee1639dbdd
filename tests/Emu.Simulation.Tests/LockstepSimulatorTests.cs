using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation.Tests;

public sealed class LockstepSimulatorTests
{
    private readonly Design _counter = Counter();

    [Fact]
    public void Equal_simulators_count_together()
    {
        using var both = new LockstepSimulator(new ManagedSimulator(_counter), new ManagedSimulator(_counter));
        both.Step();
        both.IsInReset = false;
        both.Input("by")[0] = 3;
        for (var cycle = 0; cycle < 5; cycle++) both.Step();
        Assert.Equal(15UL, both.Output("count")[0]);
    }

    [Fact]
    public void The_first_difference_is_an_error_that_says_where()
    {
        using var both = new LockstepSimulator(new ManagedSimulator(_counter), new Broken(_counter, after: 4));
        both.IsInReset = false;
        both.Input("by")[0] = 2;
        for (var cycle = 0; cycle < 3; cycle++) both.Step();
        var message = Assert.Throws<SimulationException>(both.Step).Message;
        Assert.Contains(
            "count is 0000000000000009 after 4 cycles in Broken, 0000000000000008 in ManagedSimulator", message);
    }

    [Fact]
    public void Different_designs_are_refused() =>
        Assert.Throws<ArgumentException>(() =>
            new LockstepSimulator(new ManagedSimulator(_counter), new ManagedSimulator(Counter())));

    [Fact]
    public void Different_cycles_are_refused()
    {
        var ahead = new ManagedSimulator(_counter);
        ahead.Step();
        Assert.Throws<ArgumentException>(() => new LockstepSimulator(new ManagedSimulator(_counter), ahead));
    }

    private static Design Counter()
    {
        var by = new InputPort("by", 8);
        var count = new Flop("count_reg", 40, 0);
        count.Set(Rtl.Add(count, new Operation(Opcode.ZeroExtend, 40, by.All())));
        return Rtl.Of("counter", [by], [new OutputPort("count", count)], count);
    }

    /// <summary>Right up to an edge.</summary>
    private sealed class Broken(Design design, long after) : Simulator(design)
    {
        private readonly ManagedSimulator _right = new(design);

        protected override void Edge()
        {
            Input("by").CopyTo(_right.Input("by"), 0);
            _right.IsInReset = IsInReset;
            _right.Step();
            Output("count")[0] = _right.Output("count")[0] + (_right.Cycle >= after ? 1UL : 0UL);
        }
    }
}
