using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation.Tests;

/// <summary>Compiled code computes what <see cref="Arithmetic"/> says, on every kind of operation and width.</summary>
public sealed class RandomDesignTests
{
    /// <param name="stepsOfMethod">The steps of a method: of many methods some have nothing to do in a cycle.</param>
    /// <param name="held">Cycles for which an input stays as it is.</param>
    [Theory]
    [InlineData(250, 1)]
    [InlineData(5, 1)]
    [InlineData(5, 4)]
    [InlineData(40, 7)]
    public void Compiled_designs_equal_evaluation_one_operation_at_a_time(int stepsOfMethod, int held)
    {
        for (var seed = 0UL; seed < 12; seed++)
        {
            var random = new RandomDesign(seed, 1500);
            using var simulator = new ManagedSimulator(random.Design, stepsOfMethod);
            var reference = new Reference(random);
            var inputs = new SplitMix64(seed ^ 77);
            for (var cycle = 0; cycle < 60; cycle++)
            {
                simulator.IsInReset = cycle < 2 || cycle is 30;
                var wide = simulator.Input("wide");
                for (var i = 0; i < wide.Length; i++) if ((cycle + i) % held == 0) wide[i] = inputs.Next();
                wide[3] &= 0xFF;
                if (cycle % held == 0) simulator.Input("narrow")[0] = inputs.Next() & 0x1F;
                reference.Step(simulator.Input("wide"), simulator.Input("narrow")[0], simulator.IsInReset);
                simulator.Step();
                var low = 0;
                foreach (var flop in random.Flops)
                {
                    Assert.True(
                        reference.Held[flop] == simulator[flop],
                        $"seed {seed}, cycle {cycle}: {flop.Name} of {flop.Width} bits, {Of(flop.Next)}");
                    Assert.Equal(reference.Held[flop], Reference.Bits(simulator.Output("all"), low, flop.Width));
                    low += flop.Width;
                }
                foreach (var ram in random.Rams)
                    for (var i = 0; i < ram.Depth; i++)
                        Assert.True(
                            reference.Words[ram][i] == simulator[ram, i],
                            $"seed {seed}, cycle {cycle}: {ram.Name}[{i}]");
                var first = random.Flops[0];
                Assert.Equal(
                    ~reference.Held[first] & Arithmetic.Mask(first.Width),
                    Reference.Bits(simulator.Output("some"), 0, first.Width));
            }
        }
    }

    [Fact]
    public void Every_value_can_be_looked_at_before_the_edge()
    {
        var random = new RandomDesign(99, 300);
        using var simulator = new ManagedSimulator(random.Design);
        var reference = new Reference(random);
        simulator.Input("wide")[1] = 0x1234_5678_9ABC_DEF0;
        foreach (var value in random.Values)
            Assert.Equal(reference.Evaluate(simulator.Input("wide"), 0)[value], simulator[value]);
    }

    [Fact]
    public void A_fork_goes_on_as_its_simulator_and_shares_nothing_with_it()
    {
        for (var seed = 0UL; seed < 6; seed++)
        {
            var random = new RandomDesign(seed, 600);
            using var first = new ManagedSimulator(random.Design);
            var inputs = new SplitMix64(seed ^ 55);
            void Step(params ManagedSimulator[] simulators)
            {
                var (low, narrow) = (inputs.Next(), inputs.Next() & 0x1F);
                foreach (var simulator in simulators)
                {
                    (simulator.Input("wide")[0], simulator.Input("narrow")[0]) = (low, narrow);
                    simulator.Step();
                }
            }

            Step(first);
            first.IsInReset = false;
            for (var i = 0; i < 20; i++) Step(first);
            using var second = first.Fork()!;
            Assert.False(second.IsInReset);
            Assert.Equal(first.Output("all"), second.Output("all"));
            for (var i = 0; i < 20; i++)
            {
                Step(first, second);
                Assert.Equal(first.Output("all"), second.Output("all"));
                foreach (var ram in random.Rams)
                    for (var word = 0; word < ram.Depth; word++) Assert.Equal(first[ram, word], second[ram, word]);
            }
            var before = first.Output("all").ToArray();
            for (var i = 0; i < 20; i++) Step(second);
            Assert.Equal(before, first.Output("all"));
            Assert.Equal((41L, 61L), (first.Cycle, second.Cycle));
        }
    }

    private static string Of(Value value) => value is Operation operation
        ? $"{operation.Opcode}/{operation.Width} of "
            + $"{string.Join(", ", operation.Operands.Select(o => $"{o.GetType().Name}/{o.Width}"))}"
        : value.GetType().Name;

    /// <summary>The same design, one value at a time.</summary>
    private sealed class Reference(RandomDesign random)
    {
        private readonly List<RamRead> _registeredReads =
        [
            .. random.Values.OfType<RamRead>().Where(r => r.IsRegistered),
        ];

        public Dictionary<Value, UInt128> Held { get; } =
            random.Values.Where(v => v is RamRead { IsRegistered: true })
                .Concat(random.Flops).ToDictionary(v => v, v => (v as Flop)?.Reset ?? 0);

        public Dictionary<Ram, UInt128[]> Words
        {
            get;
        } = random.Rams.ToDictionary(r => r, r => r.Initial?.ToArray() ?? new UInt128[r.Depth]);

        public static UInt128 Bits(ulong[] words, int low, int width)
        {
            UInt128 bits = 0;
            for (var i = width - 1; i >= 0; i--) bits = bits << 1 | words[(low + i) / 64] >> (low + i) % 64 & 1;
            return bits;
        }

        public Dictionary<Value, UInt128> Evaluate(ulong[] wide, ulong narrow)
        {
            var values = new Dictionary<Value, UInt128>();
            UInt128 Value(Value value) => value switch
            {
                Constant constant => constant.Bits,
                Operation operation when !values.ContainsKey(operation) => values[operation] = Compute(operation),
                _ => values[value],
            };

            UInt128 Compute(Operation operation)
            {
                var o = operation.Operands.Select(Value).ToArray();
                return Arithmetic.Compute(operation, o[0], o.ElementAtOrDefault(1), o.ElementAtOrDefault(2));
            }

            foreach (var value in random.Values)
            {
                values[value] = value switch
                {
                    Flop or RamRead { IsRegistered: true } => Held[value],
                    RamRead read => Words[read.Ram][(int)Value(read.Address)],
                    InputBits bits when bits.Port == random.Wide => Bits(wide, bits.Low, bits.Width),
                    InputBits => narrow,
                    Wire wire => Value(wire.Source),
                    var operation => Compute((Operation)operation),
                };
            }
            return values;
        }

        public void Step(ulong[] wide, ulong narrow, bool isInReset)
        {
            var values = Evaluate(wide, narrow);
            UInt128 Of(Value value) => value is Constant constant ? constant.Bits : values[value];
            foreach (var flop in random.Flops)
            {
                if (isInReset && flop.Reset is { } reset) Held[flop] = reset;
                else if (flop.Enable is null || Of(flop.Enable) == 1) Held[flop] = Of(flop.Next);
            }
            foreach (var read in _registeredReads)
                if (read.Enable is null || Of(read.Enable) == 1) Held[read] = Words[read.Ram][(int)Of(read.Address)];
            foreach (var ram in random.Rams)
                if (Of(ram.Write!.Enable) == 1) Words[ram][(int)Of(ram.Write.Address)] = Of(ram.Write.Data);
        }
    }
}
