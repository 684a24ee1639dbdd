using Emu.Compiler.Elaboration;
using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Services;

namespace Emu.Compiler.Tests;

/// <summary>Knowledge of functions is found anew only when they are not as they were.</summary>
public sealed class RememberedWorkTests
{
    private const int Ports = 4, Capacity = 1518;

    private const string Straight =
        """
        function Tick
        b0:
            return frame 0:32, length 0:32, egress 0:64

        """;

    [Fact]
    public void Ranges_are_computed_anew_when_an_operand_is_another()
    {
        var compilation = Read(UnrollingPassTests.LoopOverFrame);
        var before = compilation.Ranges();
        Assert.Same(before, compilation.Ranges());
        var sum = compilation.Process.Blocks().SelectMany(block => block.Operations)
            .First(operation => operation.Opcode == Opcode.Add);
        sum.Operands[1] = new Constant(32, 2);
        Assert.NotSame(before, compilation.Ranges());
    }

    [Fact]
    public void A_loop_that_was_kept_is_another_when_its_end_is()
    {
        var blocks = Read(UnrollingPassTests.LoopOverFrame).Process.Blocks();
        List<Block> body = [.. blocks.Where(block => block.Number is 1 or 3)];
        var kept = new KeptLoops();
        Assert.False(kept.Has(body[0], body, 7));
        kept.Add(body[0], body, 7);
        Assert.True(kept.Has(body[0], body, 7));
        Assert.False(kept.Has(body[0], body, 8));
        var branch = (Branch)body[0].Terminator!;
        body[0].Terminator = new Branch(branch.Condition, branch.Else, branch.Then);
        Assert.False(kept.Has(body[0], body, 7));
    }

    [Fact]
    public void A_pass_over_each_function_leaves_out_those_that_it_has_left()
    {
        var compilation = Read(UnrollingPassTests.LoopOverFrame + Straight);
        var done = new List<string>();
        var pass = new Pass("noted", "notes functions", "alone", _ => { }) { OnOne = _ => (Note, 0) };
        void Note(Function function) => done.Add(function.Name);
        PassList.Run([pass], compilation);
        Assert.Equal(["Process", "Tick"], done);
        PassList.Run([pass], compilation);
        Assert.Equal(["Process", "Tick"], done);
        compilation.Process.Entry.Operations.Add(new Operation(Opcode.FrameWrite, 1, Zero(32), Zero(8)));
        PassList.Run([pass], compilation);
        Assert.Equal(["Process", "Tick", "Process"], done);
    }

    private static Constant Zero(int width) => new(width, 0);

    private static Compilation Read(string text)
    {
        var functions = Reader.Read(text).Functions;
        var compilation = new Compilation(
            new StateMap(new Filter()), functions[0], functions.ElementAtOrDefault(1), 0, null, Ports, Capacity);
        foreach (var function in compilation.Functions) function.Number();
        return compilation;
    }
}
