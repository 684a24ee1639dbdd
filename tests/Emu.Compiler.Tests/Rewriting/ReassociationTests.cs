using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Tests;

/// <summary>Constants that are added and taken away one behind the other are one.</summary>
public sealed class ReassociationTests
{
    private const int Width = 4;

    /// <summary>The value in front.</summary>
    private readonly Operation _value = new(Opcode.Input, Width) { Input = FrameInput.Length };

    private readonly Builder _builder = new();

    [Theory]
    [InlineData(Opcode.Add, Opcode.Add)]
    [InlineData(Opcode.Add, Opcode.Subtract)]
    [InlineData(Opcode.Subtract, Opcode.Add)]
    [InlineData(Opcode.Subtract, Opcode.Subtract)]
    public void Two_steps_are_one_that_goes_as_far(Opcode first, Opcode second)
    {
        for (UInt128 one = 0; one <= Arithmetic.Mask(Width); one++)
        {
            for (UInt128 other = 0; other <= Arithmetic.Mask(Width); other++)
            {
                var step = _builder.Make(first, Width, _value, new Constant(Width, one));
                var both = _builder.Make(second, Width, step, new Constant(Width, other));
                var by = (first == Opcode.Add ? one : UInt128.Zero - one)
                    + (second == Opcode.Add ? other : UInt128.Zero - other) & Arithmetic.Mask(Width);
                if (by == 0)
                {
                    Assert.Same(_value, both);
                    continue;
                }
                var operation = Assert.IsType<Operation>(both);
                Assert.Same(_value, operation.Operands[0]);
                var number = Assert.IsType<Constant>(operation.Operands[1]).Bits;
                Assert.Equal(
                    by,
                    Arithmetic.Mask(Width) & (operation.Opcode == Opcode.Add ? number : UInt128.Zero - number));
            }
        }
    }

    [Fact]
    public void A_value_less_itself_is_0() =>
        Assert.Equal(UInt128.Zero, Assert.IsType<Constant>(_builder.Subtract(_value, _value)).Bits);

    private sealed class Builder : FoldingBuilder
    {
        protected override Value Intern(Operation operation) => operation;
    }
}
