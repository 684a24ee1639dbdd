using Emu.Direction.Language;

namespace Emu.Direction.Tests;

/// <summary>Conditions, read into comparisons and a truth table.</summary>
public sealed class ConditionExpressionTests
{
    /// <summary>Each relation, both ways round, holds for the numbers for which C# says that it does.</summary>
    [Theory]
    [InlineData("a == 3")]
    [InlineData("a != 3")]
    [InlineData("a < 3")]
    [InlineData("a <= 3")]
    [InlineData("a > 3")]
    [InlineData("a >= 3")]
    [InlineData("3 < a")]
    [InlineData("3 >= a")]
    [InlineData("a < b")]
    [InlineData("a <= b")]
    [InlineData("a > b")]
    [InlineData("a >= b")]
    [InlineData("a == b")]
    [InlineData("b != a")]
    [InlineData("a")]
    [InlineData("not a")]
    [InlineData("a == 1 or a == 2 and b == 3")]
    [InlineData("(a == 1 or a == 2) and b == 3")]
    [InlineData("not (a < 2 or b < 2) and not a == b")]
    [InlineData("not not a>=2")]
    public void A_condition_holds_as_in_CSharp(string text)
    {
        var condition = ConditionExpression.Parse(text);
        for (var a = 0UL; a < 6; a++)
        {
            for (var b = 0UL; b < 6; b++)
            {
                var row = condition.Comparisons.Index().Sum(c => Holds(c.Item, a, b) ? 1 << c.Index : 0);
                Assert.Equal(Expected(text, a, b), (condition.TableOf(4) >> row & 1) != 0);
            }
        }
    }

    [Fact]
    public void A_comparison_that_comes_again_is_one() =>
        Assert.Equal(
            [new ConditionComparison("a", true, null, 4)],
            ConditionExpression.Parse("a < 4 or not a <= 3 or a > 3").Comparisons);

    [Fact]
    public void Addresses_ports_and_numbers_below_0_are_constants() =>
        Assert.Equal(
            [
                new ConditionComparison("key", false, null, 0x0200_0000_0007),
                new ConditionComparison("turn", true, null, ulong.MaxValue),
                new ConditionComparison("ports", false, null, 0b101),
            ],
            ConditionExpression.Parse("key == 02:00:00:00:00:07 and turn < -1 or ports == {0, 2}").Comparisons);

    [Theory]
    [InlineData("", "the condition ends too soon")]
    [InlineData("a <", "the condition ends too soon")]
    [InlineData("a = 3", "'=' sets: a condition compares by '=='")]
    [InlineData("1 < 2", "a comparison of two constants")]
    [InlineData("(a < 2", "a ')' is missing")]
    [InlineData("a < 2 b", "'b' is not expected")]
    [InlineData("a < 2)", "')' is not expected")]
    [InlineData("a < +", "'+' is no name and no constant")]
    [InlineData("a > 0xFFFFFFFFFFFFFFFF", "no number is above 18446744073709551615")]
    [InlineData("a == 0x10000000000000000", "18446744073709551616 has more than the 64 bits of a comparison")]
    public void What_is_no_condition_is_refused(string text, string why) =>
        Assert.StartsWith(why, Assert.Throws<FormatException>(() => ConditionExpression.Parse(text)).Message);

    private static bool Holds(ConditionComparison comparison, ulong a, ulong b)
    {
        ulong Value(string name) => name == "a" ? a : b;
        var right = comparison.Right is { } name ? Value(name) : comparison.Constant;
        return comparison.IsLess ? Value(comparison.Left) < right : Value(comparison.Left) == right;
    }

    private static bool Expected(string text, ulong a, ulong b) => text switch
    {
        "a == 3" => a == 3,
        "a != 3" => a != 3,
        "a < 3" => a < 3,
        "a <= 3" => a <= 3,
        "a > 3" or "3 < a" => a > 3,
        "a >= 3" => a >= 3,
        "3 >= a" => 3 >= a,
        "a < b" => a < b,
        "a <= b" => a <= b,
        "a > b" => a > b,
        "a >= b" => a >= b,
        "a == b" => a == b,
        "b != a" => a != b,
        "a" => a != 0,
        "not a" => a == 0,
        "a == 1 or a == 2 and b == 3" => a == 1 || (a == 2 && b == 3),
        "(a == 1 or a == 2) and b == 3" => (a == 1 || a == 2) && b == 3,
        "not (a < 2 or b < 2) and not a == b" => !(a < 2 || b < 2) && a != b,
        "not not a>=2" => a >= 2,
        _ => throw new ArgumentException(text),
    };
}
