using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Tests;

/// <summary>Products and quotients that are written out are what they were.</summary>
public sealed class WideArithmeticTests
{
    private static readonly int[] s_widths = [1, 2, 5, 8, 16, 17, 24, 25, 31, 32, 33, 48, 64, 65, 100, 128];

    /// <summary>Makes the operations, and computes them for numbers.</summary>
    private sealed class Evaluator : WideArithmetic
    {
        private readonly Dictionary<Value, UInt128> _numbers = new(ReferenceEqualityComparer.Instance);

        public List<Operation> Operations { get; } = [];

        public Phi Input(int width, UInt128 number)
        {
            var input = new Phi(width, new Block());
            Put(input, number);
            return input;
        }

        public void Put(Phi input, UInt128 number) => _numbers[input] = number & Arithmetic.Mask(input.Width);

        public UInt128 Compute(Value value)
        {
            foreach (var o in Operations)
            {
                UInt128 Of(int operand) => operand < o.Operands.Count ? NumberOf(o.Operands[operand]) : 0;
                _numbers[o] = Arithmetic.Compute(o, Of(0), Of(1), Of(2));
            }
            return NumberOf(value);
        }

        public UInt128 NumberOf(Value value) => value is Constant constant ? constant.Bits : _numbers[value];

        protected override Value Intern(Operation operation)
        {
            Operations.Add(operation);
            return operation;
        }
    }

    public static TheoryData<int> Widths => [.. s_widths];

    [Fact]
    public void Every_small_divisor_divides_every_number_of_eight_bits()
    {
        for (uint divisor = 1; divisor < 256; divisor++)
        {
            var (n, x) = Begin(8);
            var (quotient, rest) = (n.Quotient(x, By(8, divisor)), n.Remainder(x, By(8, divisor)));
            AssertSmall(n);
            for (uint number = 0; number < 256; number++)
            {
                n.Put(x, number);
                Assert.Equal((number / divisor, number % divisor), ((uint)n.Compute(quotient), (uint)n.Compute(rest)));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Widths))]
    public void A_constant_divides(int width)
    {
        var random = new Random(width);
        foreach (var divisor in Numbers(random, width).Where(number => number != 0))
        {
            var (n, x) = Begin(width);
            var (quotient, rest) = (n.Quotient(x, By(width, divisor)), n.Remainder(x, By(width, divisor)));
            AssertSmall(n);
            foreach (var number in Numbers(random, width).Concat(Around(divisor, width)))
            {
                n.Put(x, number);
                Assert.Equal((number / divisor, number % divisor), (n.Compute(quotient), n.NumberOf(rest)));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Widths))]
    public void A_number_divides(int width)
    {
        var random = new Random(width);
        var (n, x) = Begin(width);
        var y = n.Input(width, 0);
        var (quotient, rest) = (n.Quotient(x, y), n.Remainder(x, y));
        AssertSmall(n);
        foreach (var divisor in Numbers(random, width).Where(number => number != 0))
        {
            n.Put(y, divisor);
            foreach (var number in Numbers(random, width).Concat(Around(divisor, width)))
            {
                n.Put(x, number);
                Assert.Equal((number / divisor, number % divisor), (n.Compute(quotient), n.NumberOf(rest)));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Widths))]
    public void Signed_numbers_divide_towards_zero(int width)
    {
        var random = new Random(width);
        var (n, x) = Begin(width);
        var y = n.Input(width, 0);
        var (quotient, rest) = (
            n.Signed(n.Quotient, x, y, isQuotient: true), n.Signed(n.Remainder, x, y, isQuotient: false));
        foreach (var divisor in Numbers(random, width).Where(number => number != 0))
        {
            n.Put(y, divisor);
            foreach (var number in Numbers(random, width))
            {
                n.Put(x, number);
                var (a, b) = (Arithmetic.ToSigned(number, width), Arithmetic.ToSigned(divisor, width));
                if (b == -1 && width == Value.MaxWidth) continue; // the quotient may overflow
                Assert.Equal((UInt128)(a / b) & Arithmetic.Mask(width), n.Compute(quotient));
                Assert.Equal((UInt128)(a % b) & Arithmetic.Mask(width), n.NumberOf(rest));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Widths))]
    public void Factors_multiply(int width)
    {
        var random = new Random(width);
        foreach (var constant in Numbers(random, width).Append(UInt128.Zero).Distinct())
        {
            var (n, x) = Begin(width);
            var y = n.Input(width, 0);
            var (byNumber, byConstant) = (n.Product(x, y), n.Product(By(width, constant), x));
            AssertSmall(n);
            foreach (var number in Numbers(random, width))
            {
                n.Put(x, number);
                n.Put(y, constant);
                var product = number * constant & Arithmetic.Mask(width);
                Assert.Equal((product, product), (n.Compute(byNumber), n.NumberOf(byConstant)));
            }
        }
    }

    /// <summary>Factors with zeros above take no more multipliers than they have bits for.</summary>
    [Fact]
    public void A_product_of_halves_has_few_pieces()
    {
        var (n, x) = Begin(32);
        var y = n.Input(32, 0);
        n.Product(n.Resize(x, 64), n.Resize(y, 64));
        Assert.Equal(4, n.Operations.Count(o => o.Opcode == Opcode.Multiply));
    }

    private static (Evaluator Evaluator, Phi Input) Begin(int width)
    {
        var evaluator = new Evaluator();
        return (evaluator, evaluator.Input(width, 0));
    }

    private static Constant By(int width, UInt128 number) => new(width, number);

    private static void AssertSmall(Evaluator evaluator) => Assert.All(evaluator.Operations, operation =>
    {
        Assert.InRange(operation.Opcode == Opcode.Multiply ? operation.Width : 0, 0, WideArithmetic.BlockBits);
        Assert.DoesNotContain("Divide", $"{operation.Opcode}", StringComparison.Ordinal);
        Assert.DoesNotContain("Remainder", $"{operation.Opcode}", StringComparison.Ordinal);
    });

    /// <summary>Numbers of a width, of few and of many bits, and those at the ends.</summary>
    private static List<UInt128> Numbers(Random random, int width)
    {
        var mask = Arithmetic.Mask(width);
        var numbers = Enumerable.Range(0, 24).Select(_ =>
            new UInt128((ulong)random.NextInt64(), (ulong)random.NextInt64() * 3) >> random.Next(128) & mask);
        return [.. numbers, 1, 3 & mask, 10 & mask, 1_000_000_007 & mask, mask, mask - 1, (mask >> 1) + 1, mask >> 1];
    }

    /// <summary>Multiples of a number and what is next to them, where a reciprocal that is off is wrong.</summary>
    private static IEnumerable<UInt128> Around(UInt128 divisor, int width)
    {
        var most = Arithmetic.Mask(width) / divisor * divisor;
        return new[] { most, most - 1, most + 1, divisor - 1, divisor, most / divisor / 2 * divisor - 1 }
            .Select(number => number & Arithmetic.Mask(width));
    }
}
