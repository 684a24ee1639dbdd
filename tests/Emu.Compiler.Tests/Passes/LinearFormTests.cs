using Emu.Compiler.IR;
using Emu.Compiler.Passes;

namespace Emu.Compiler.Tests;

/// <summary>Places and lengths that are computed in different ways have one form.</summary>
public sealed class LinearFormTests
{
    private const int Bits = 11;

    private static readonly Operation s_length = new(Opcode.Input, 32) { Input = FrameInput.Length };
    private static readonly Operation s_words = new(Opcode.FrameRead, 8, Number(32, 14));

    [Fact]
    public void A_length_from_which_much_is_taken_is_one_from_which_all_is_taken_at_once()
    {
        var bytes = Times4(s_words);
        var one = Minus(Minus(s_length, bytes), Number(32, 20));
        var other = Minus(s_length, Plus(Number(32, 20), bytes));
        Assert.Equal(Form(one), Form(other));
        Assert.NotEqual(Form(one), Form(Plus(other, Number(32, 1))));
        Assert.True((Form(one) == Form(other)) && Form(one) != Form(s_length));
    }

    [Fact]
    public void What_is_taken_as_often_as_it_is_added_is_gone()
    {
        var rest = Form(Plus(s_words32, s_length)).Minus(Form(s_words32)).Minus(Form(s_length)).Plus(7);
        Assert.True(rest.IsNumber);
        Assert.Equal((UInt128)7, rest.Number);
    }

    /// <summary>A sum of few bits is the whole sum only where it has no carry.</summary>
    [Fact]
    public void A_sum_with_a_carry_is_itself()
    {
        var sum = Plus(s_words, Number(8, 200));
        Assert.Equal(Form(sum), LinearForm.Itself(Bits, sum));
        Assert.NotEqual(Form(sum, most: 55), LinearForm.Itself(Bits, sum));
    }

    [Fact]
    public void The_least_number_is_known_where_nothing_is_taken_away()
    {
        var form = Form(Minus(Times4(s_words), Number(32, 20)), least: 6, most: 15, bits: 64);
        Assert.Equal(4, form.Least(_ => new Interval(6, 15)));
        Assert.Equal(-20, form.Least(_ => new Interval(0, 15)));
        Assert.Null(form.Minus(form).Minus(form).Least(_ => new Interval(6, 15)));
    }

    private static readonly Operation s_words32 = new(Opcode.ZeroExtend, 32, s_words);

    private static Constant Number(int width, UInt128 number) => new(width, number);

    private static Operation Plus(Value a, Value b) => new(Opcode.Add, a.Width, a, b);

    private static Operation Minus(Value a, Value b) => new(Opcode.Subtract, a.Width, a, b);

    /// <summary>Four times a byte, as bits that are put together.</summary>
    private static Operation Times4(Value octet) => new(
        Opcode.Concat, 32, Number(22, 0), new Operation(Opcode.Concat, 10, octet, Number(2, 0)));

    private static LinearForm Form(Value value, UInt128? least = null, UInt128? most = null, int bits = Bits) =>
        LinearForm.Of(
            value, bits,
            part => part is Constant known ? Interval.Of(known.Bits)
                : part == s_words || part == s_words32 ? new Interval(least ?? 0, most ?? 255)
                : part is Operation { Opcode: Opcode.Concat } ? new Interval(4 * (least ?? 0), 4 * (most ?? 255))
                : Interval.Full(part.Width),
            _ => null);
}
