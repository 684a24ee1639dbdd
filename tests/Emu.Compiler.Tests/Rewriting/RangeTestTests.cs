using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Tests;

/// <summary>Two comparisons of one value are joined to one that says the same.</summary>
public sealed class RangeTestTests
{
    private const int Width = 4;

    /// <summary>The value that is compared.</summary>
    private readonly Operation _value = new(Opcode.Input, Width) { Input = FrameInput.Length };

    private readonly Builder _builder = new();

    [Fact]
    public void Every_pair_says_for_every_number_what_it_said_apart()
    {
        var conditions = Conditions();
        foreach (var a in conditions)
        {
            foreach (var b in conditions)
            {
                var (both, either) = (_builder.And(a, b), _builder.Or(a, b));
                for (UInt128 number = 0; number <= Arithmetic.Mask(Width); number++)
                {
                    var (x, y) = (Evaluate(a, number), Evaluate(b, number));
                    Assert.Equal(x & y, Evaluate(both, number));
                    Assert.Equal(x | y, Evaluate(either, number));
                }
            }
        }
    }

    [Theory]
    [InlineData(5, 5)]
    [InlineData(0, 11)]
    [InlineData(2, 3)]
    [InlineData(3, 15)]
    public void A_range_that_one_comparison_says_is_one(int least, int most)
    {
        var inside = _builder.And(
            _builder.Not(_builder.Less(_value, Number(least))), _builder.Not(_builder.Less(Number(most), _value)));
        Assert.False(inside is Operation { Opcode: Opcode.And }, $"{least} to {most}");
    }

    private static Constant Number(int number) => new(Width, (UInt128)number);

    /// <summary>All comparisons with constants, of the whole value and of its upper bits, and the opposites.</summary>
    private List<Value> Conditions()
    {
        var conditions = new List<Value>();
        for (var number = 0; number < 1 << Width; number++)
        {
            conditions.Add(_builder.Less(_value, Number(number)));
            conditions.Add(_builder.Less(Number(number), _value));
            conditions.Add(_builder.Equal(_value, Number(number)));
        }
        for (UInt128 number = 0; number < 4; number++)
            conditions.Add(_builder.Equal(_builder.Extract(_value, 2, 2), new Constant(2, number)));
        return [.. conditions, .. conditions.Select(_builder.Not)];
    }

    private UInt128 Evaluate(Value value, UInt128 number)
    {
        if (value == _value) return number;
        if (value is Constant constant) return constant.Bits;
        var operation = (Operation)value;
        List<UInt128> operands = [.. operation.Operands.Select(operand => Evaluate(operand, number)), 0, 0, 0];
        return Arithmetic.Compute(operation, operands[0], operands[1], operands[2]);
    }

    private sealed class Builder : FoldingBuilder
    {
        protected override Value Intern(Operation operation) => operation;
    }
}
