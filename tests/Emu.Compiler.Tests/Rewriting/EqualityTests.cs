using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Tests;

/// <summary>Equality of values that are put together of parts, some of which are constant.</summary>
public sealed class EqualityTests
{
    private readonly Builder _builder = new();

    [Fact]
    public void Constant_parts_on_both_sides_decide()
    {
        var (a, b) = (Input(3), Input(3));
        Assert.True(Constant.Is(
            _builder.Equal(_builder.Concat(Number(2, 1), a), _builder.Concat(Number(2, 2), b)), 0));
    }

    /// <summary>Zeros in front say nothing, and what is behind them stays one comparison.</summary>
    [Fact]
    public void What_no_side_knows_is_compared_as_a_whole()
    {
        var (high, low, other) = (Input(16, 0), Input(32, 1), Input(48, 2));
        var address = _builder.Concat(_builder.Concat(Number(16, 0), high), low);
        var isEqual = (Operation)_builder.Equal(address, _builder.Concat(Number(16, 0), other));
        Assert.Equal((Opcode.Equal, 48), (isEqual.Opcode, isEqual.Operands[0].Width));
    }

    /// <summary>Six bits each, any of which is a part of its own, of an input or constant.</summary>
    [Fact]
    public void Every_composition_is_equal_to_what_it_was()
    {
        var random = new Random(16);
        for (var round = 0; round < 400; round++)
        {
            var (a, b) = (Composed(random), Composed(random));
            var isEqual = _builder.Equal(a, b);
            for (var i = 0; i < 16; i++)
            {
                _builder.Numbers = new byte[8];
                // Numbers of few bits, so that some are equal.
                foreach (ref var number in _builder.Numbers.AsSpan()) number = (byte)random.Next(2);
                Assert.Equal(
                    _builder.Evaluate(a) == _builder.Evaluate(b) ? 1u : 0u, (uint)_builder.Evaluate(isEqual));
            }
        }
    }

    private static Constant Number(int width, uint bits) => new(width, bits);

    private Phi Input(int width, int number = 0) => _builder.Input(width, number);

    private Value Composed(Random random)
    {
        Value? whole = null;
        for (var at = 0; at < 6;)
        {
            var width = random.Next(1, 7 - at);
            Value part = random.Next(3) == 0 ? Number(width, (uint)random.Next(2)) : Input(width, random.Next(8));
            (whole, at) = (whole is null ? part : _builder.Concat(part, whole), at + width);
        }
        return whole!;
    }

    /// <summary>Makes the operations, and computes them for some numbers.</summary>
    private sealed class Builder : FoldingBuilder
    {
        private readonly Dictionary<(int Width, int Number), Phi> _inputs = [];
        private readonly Dictionary<Value, int> _numberOf = new(ReferenceEqualityComparer.Instance);

        /// <summary>The numbers of the inputs.</summary>
        public byte[] Numbers { get; set; } = [];

        public Phi Input(int width, int number)
        {
            if (_inputs.TryGetValue((width, number), out var known)) return known;
            var input = new Phi(width, new Block());
            _numberOf[input] = number;
            return _inputs[(width, number)] = input;
        }

        public UInt128 Evaluate(Value value)
        {
            if (value is Constant constant) return constant.Bits;
            if (value is not Operation o) return Numbers[_numberOf[value]] & Arithmetic.Mask(value.Width);
            UInt128 Of(int operand) => operand < o.Operands.Count ? Evaluate(o.Operands[operand]) : 0;
            return Arithmetic.Compute(o, Of(0), Of(1), Of(2));
        }

        protected override Value Intern(Operation operation) => operation;
    }
}
