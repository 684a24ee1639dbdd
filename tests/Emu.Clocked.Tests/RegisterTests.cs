using Emu.Compiler.Clocked;
using Emu.Compiler.IR;

namespace Emu.Clocked.Tests;

/// <summary>Values kept from one cycle to the next have as few registers and choices as they need.</summary>
public sealed class RegisterTests
{
    /// <summary>A method of two pauses, called at three places, that keeps two numbers over each.</summary>
    private const string Calls = """
        [Kiwi.InputWordPort("word")] static uint word;
        [Kiwi.OutputWordPort("sum")] static uint sum;

        static uint Hash(uint number)
        {
            uint low = (number & 0xFFFF) * 3 + word, high = (number >> 16) ^ word;
            Kiwi.Pause();
            low += word;
            Kiwi.Pause();
            return low * 5 + high;
        }

        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            while (true)
            {
                Kiwi.Pause();
                sum = Hash(word);
                if (sum > 9) sum = Hash(sum + word) + 7;
                Kiwi.Pause();
                sum = Hash(sum ^ word) - 1;
            }
        }
        """;

    [Fact]
    public void A_method_that_is_called_at_several_places_has_its_registers_once()
    {
        var program = Source.Program(Calls);
        Trace.Check(program);
        var flops = ClockedCompiler.Compile(program.Again()).Design.Flops;
        // Sum, low and high; and the state, as a number or as a flop for each.
        Assert.Equal([32, 32, 32], flops.Select(flop => flop.Width).Where(width => width > 3));
        Assert.InRange(flops.Where(flop => flop.Width <= 3).Sum(flop => flop.Width), 3, 8);
    }

    /// <summary>Two loops write a word or its half into one variable: that is a choice of two values, once.</summary>
    [Fact]
    public void Choices_of_the_same_values_are_one()
    {
        var program = Source.Program("""
            [Kiwi.InputWordPort("word")] static uint word;
            [Kiwi.InputBitPort("first")] static bool first;
            [Kiwi.InputBitPort("second")] static bool second;
            [Kiwi.OutputWordPort("last")] static uint last;

            [Kiwi.HardwareEntryPoint]
            public static void Main()
            {
                while (true)
                {
                    Kiwi.Pause();
                    last = word;
                    Kiwi.Pause();
                    last = first ? word : word >> 16;
                    Kiwi.Pause();
                    last = second ? word : word >> 16;
                }
            }
            """);
        Trace.Check(program, isOutside: false);
        var last = ClockedCompiler.Compile(program.Again()).Design.Flops.Single(flop => flop.Name == "last_reg");
        var choice = Assert.IsType<Operation>(last.Next);
        Assert.Equal(Opcode.Select, choice.Opcode);
        Assert.DoesNotContain(choice.Operands, operand => operand is Operation { Opcode: Opcode.Select });
    }

    /// <summary>Both of a pair live at once in each call, and one number goes on beside the calls.</summary>
    [Fact]
    public void Values_of_one_state_have_a_register_each() => Trace.Check(Source.Program("""
        [Kiwi.InputWordPort("word")] static uint word;
        [Kiwi.OutputWordPort("sum")] static ulong sum;

        static (uint, uint) Sorted(uint one, uint other)
        {
            var isLess = one < other;
            Kiwi.Pause();
            return isLess ? (one, other) : (other, one);
        }

        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            while (true)
            {
                Kiwi.Pause();
                var first = word;
                Kiwi.Pause();
                var second = word;
                var (a, b) = Sorted(first, second);
                var (c, d) = Sorted(word, a);
                (a, b) = Sorted(b, d);
                for (var i = 0; i < 3; i++)
                {
                    (a, b) = (b, a + c);
                    Kiwi.Pause();
                }
                sum = (ulong)a << 32 | b ^ d;
            }
        }
        """), 1000);

    [Fact]
    public void What_reset_leaves_too_is_no_choice_but_a_pin()
    {
        var program = Source.Program("""
            [Kiwi.InputWordPort("word")] static uint word;
            [Kiwi.InputBitPort("valid")] static bool valid;
            [Kiwi.OutputWordPort("last")] static uint last = 0xAA;
            [Kiwi.OutputWordPort("sum")] static ulong sum;

            [Kiwi.HardwareEntryPoint]
            public static void Main()
            {
                while (true)
                {
                    Kiwi.Pause();
                    if (valid) last = word;
                    sum += last;
                    Kiwi.Pause();
                    last = 0xAA;
                    if (!valid) sum = 0;
                    Kiwi.Pause();
                    last ^= 1;
                }
            }
            """);
        Trace.Check(program);
        var flops = ClockedCompiler.Compile(program.Again()).Design.Flops;
        Assert.Equal(
            ["last_reg", "sum_reg"], flops.Where(flop => flop.Clear is not null).Select(flop => flop.Name).Order());
    }
}
