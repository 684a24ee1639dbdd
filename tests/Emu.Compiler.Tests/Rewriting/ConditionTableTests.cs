using System.Globalization;
using System.Text;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Tests;

/// <summary>The conditions of blocks, and the values that they choose, of random functions without loops.</summary>
public sealed class ConditionTableTests
{
    private const int Bits = 6, Cases = 1 << Bits, MostBlocks = 12;

    [Fact]
    public void They_say_what_a_walk_says()
    {
        for (var seed = 0; seed < 60; seed++) Check(new Random(seed), $"seed {seed}");
    }

    /// <summary>A decision between a block and the place where all its ways meet decides nothing behind that.</summary>
    [Fact]
    public void Ways_that_part_and_meet_again_are_one()
    {
        List<int>[] next = [[1, 4], [2, 3], [3, 5], [5], [5], []];
        var (function, inputs) = Read(next, block => block);
        var builder = new EvaluatingBuilder(Bits);
        Value Of(Value value) => value is Operation bit ? builder.Inputs[inputs.IndexOf(bit)] : value;
        var table = new ConditionTable(builder, function.Blocks(), new Dominators(function), Of);
        var (join, other) = (function.Blocks()[^1], ((Branch)function.Entry.Terminator!).Else);
        var chosen = table.Choose(join, way => new Constant(8, join.Predecessors[way] == other ? 1U : 2U));
        Assert.True(Constant.Is(table.Of(join), 1));
        Assert.Equal([builder.Inputs[0]], Leaves(chosen));
    }

    private static void Check(Random random, string what)
    {
        var next = Graph(random);
        var (function, inputs) = Read(next, _ => random.Next(Bits));
        var builder = new EvaluatingBuilder(Bits);
        Value Of(Value value) => value is Operation bit ? builder.Inputs[inputs.IndexOf(bit)] : value;
        var table = new ConditionTable(builder, function.Blocks(), new Dominators(function), Of);
        var choices = function.Blocks().Where(block => block.Predecessors.Count > 1).Select(block =>
        {
            var values = block.Predecessors.Select(_ => new Constant(8, (UInt128)random.Next(3))).ToList();
            return (Block: block, Values: values, Chosen: table.Choose(block, way => values[way]));
        }).ToList();
        var conditions = function.Blocks().Select(block => (Block: block, Condition: table.Of(block))).ToList();
        for (builder.Number = 0; builder.Number < Cases; builder.Number++)
        {
            var walk = Walk(function, condition => builder.Evaluate(Of(condition)) != 0);
            foreach (var (block, condition) in conditions)
                Assert.True(builder.Evaluate(condition) != 0 == walk.Contains(block), $"{what}: b{block.Number}");
            foreach (var (block, values, chosen) in choices.Where(choice => walk.Contains(choice.Block)))
            {
                var way = block.Predecessors.ToList().IndexOf(walk[walk.IndexOf(block) - 1]);
                Assert.True(builder.Evaluate(chosen) == values[way].Bits, $"{what}: choice in b{block.Number}");
            }
        }
    }

    /// <summary>For each block those that follow it: none before it, and all can be reached.</summary>
    private static List<int>[] Graph(Random random)
    {
        var count = random.Next(4, MostBlocks);
        var all = new List<int>[count];
        for (var block = 0; block < count; block++)
        {
            var behind = Enumerable.Range(block + 1, count - block - 1).ToArray();
            random.Shuffle(behind);
            // Most go on near by, so that ways meet often.
            all[block] = [.. behind.OrderBy(next => next / 3).Take(random.Next(1, 3))];
        }
        var reached = new SortedSet<int> { 0 };
        foreach (var block in Enumerable.Range(0, count).Where(reached.Contains)) reached.UnionWith(all[block]);
        var kept = reached.ToList();
        return [.. kept.Select(block => all[block].ConvertAll(next => kept.IndexOf(next)))];
    }

    private static (Function Function, List<Operation> Inputs) Read(List<int>[] next, Func<int, int> bitOf)
    {
        var text = new StringBuilder("function Process\n");
        foreach (var (block, to) in next.Index())
        {
            var from = Enumerable.Range(0, block).Where(other => next[other].Contains(block));
            var origin = block == 0 ? "" : $"  from b{string.Join(", b", from)}";
            text.Append(CultureInfo.InvariantCulture, $"b{block}:{origin}\n");
            if (block == 0)
            {
                text.Append("    %0:8 = FrameRead 14:32\n");
                for (var bit = 0; bit < Bits; bit++)
                    text.Append(CultureInfo.InvariantCulture, $"    %{bit + 1}:1 = Extract %0 low {bit}\n");
            }
            text.Append(to.Count switch
            {
                0 => "    return frame 0:32, length 60:32, egress 1:64\n",
                1 => $"    jump b{to[0]}\n",
                _ => $"    branch %{bitOf(block) + 1} ? b{to[0]} : b{to[1]}\n",
            });
        }
        var function = Reader.Read(text.Append('\n').ToString()).Functions[0];
        return (function, [.. function.Entry.Operations.Where(operation => operation.Opcode == Opcode.Extract)]);
    }

    private static List<Block> Walk(Function function, Predicate<Value> holds)
    {
        var walk = new List<Block> { function.Entry };
        while (walk[^1].Terminator!.Successors is { Count: > 0 } next)
        {
            walk.Add(walk[^1].Terminator is Branch branch
                ? holds(branch.Condition) ? branch.Then : branch.Else
                : next[0]);
        }
        return walk;
    }

    private static IEnumerable<Value> Leaves(Value value) => value switch
    {
        Operation operation => operation.Operands.SelectMany(Leaves).Distinct(),
        Constant => [],
        _ => [value],
    };
}
