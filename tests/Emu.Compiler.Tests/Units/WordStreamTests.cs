using Emu.Compiler.IR;
using Emu.Compiler.Rtl;
using Emu.Compiler.Units;

namespace Emu.Compiler.Tests;

/// <summary>Words that follow one another in a memory come together, from any index on.</summary>
public sealed class WordStreamTests
{
    [Theory]
    [InlineData(1, 5, 8, false)]
    [InlineData(2, 7, 8, true)]
    [InlineData(8, 71, 8, true)]
    [InlineData(8, 64, 12, false)]
    [InlineData(32, 3, 8, false)]
    [InlineData(32, 100, 8, false)]
    public void They_are_those_of_the_memory_from_each_index_on(int lanes, int depth, int width, bool outside)
    {
        var random = new Random(lanes + depth);
        var memory = new Memory(
            "words", width, [.. Enumerable.Range(0, depth).Select(_ => (UInt128)random.Next(1 << width))]);
        using var bench = new UnitBench(Design(memory, lanes), outside);
        for (var start = 0; start < depth; start++)
        {
            // A word is shown two edges after its place was in a flop.
            var places = new List<int>();
            for (var (cycle, place) = (0, start); cycle < 3 + 2 * depth / lanes; cycle++)
            {
                var moves = random.Next(4) > 0;
                bench.Set("begins", cycle == 0 ? 1u : 0u);
                bench.Set("moves", moves ? 1u : 0u);
                bench.Set("index", (UInt128)start);
                bench.Step();
                if (cycle > 0 && moves) place += lanes;
                places.Add(place);
                if (places.Count < 3) continue;
                for (var lane = 0; lane < lanes && places[^3] + lane < depth; lane++)
                    Assert.Equal(memory.Reset[places[^3] + lane], bench.Get($"word_{lane}"));
            }
        }
    }

    private static UnitDesign Design(Memory memory, int lanes)
    {
        var design = new UnitDesign("memory_stream");
        var n = design.Netlist;
        var (begins, moves, index) = (design.In("begins", 1), design.In("moves", 1), design.In("index", 16));
        var stream = new WordStream(n, memory, lanes);
        n.Begin("memory stream");
        var made = new Dictionary<Value, Value>(ReferenceEqualityComparer.Instance);
        foreach (var (standIn, value) in stream.Build(stream.Index(n.Resize(index, 32)), begins, n.Or(begins, moves)))
            made[standIn] = value is RamRead ? value : Later(value);
        Value Later(Value value)
        {
            for (var i = 0; i < WordStream.Latency && value is not Constant; i++) value = n.Registered("later", value);
            return value;
        }
        Value Of(Value value)
        {
            if (value is Constant) return value;
            if (made.TryGetValue(value, out var known)) return known;
            var operation = (Operation)value;
            return made[value] = n.Make(new Operation(operation.Opcode, operation.Width, operation.Operands.Select(Of))
            {
                Low = operation.Low,
            });
        }
        for (var lane = 0; lane < lanes; lane++) design.Out($"word_{lane}", Of(stream.Words[lane]));
        return design;
    }
}
