using System.Text;

namespace Emu.Compiler.Tests;

/// <summary>The pass <c>if-conversion</c> makes a choice of a decision that has many ways.</summary>
public sealed class IfConversionPassTests() : PassTests("if-conversion")
{
    [Fact]
    public void The_first_match_of_eight_is_a_tree_of_conditions()
    {
        var left = PassRun.Of(PassRun.All.First(pass => pass.Name == Name), FirstMatch(8)).Left;
        // One block; of the chain of eight comparisons none waits for another.
        Assert.DoesNotContain("branch", left, StringComparison.Ordinal);
        Assert.Equal(7, left.Split('\n').Count(line => line.Contains("Equal %0", StringComparison.Ordinal)));
    }

    [Fact]
    public void The_first_match_of_a_few_stays() => Leaves(FirstMatch(7));

    [Fact]
    public void A_decision_that_does_something_on_the_way_stays() =>
        Leaves(FirstMatch(8, "    FrameWrite 0:32, 9:8\n"));

    [Fact]
    public void A_decision_whose_ways_enter_a_loop_stays() => Leaves(FirstTurn(8));

    /// <summary>A row of comparisons of which the first that holds says from where a loop counts on.</summary>
    /// <param name="ways">The ways to the loop, whose turns come to its header as well.</param>
    private static string FirstTurn(int ways)
    {
        var (text, turn) = (Decision(ways, ""), ways + 1);
        var entries = string.Concat(Enumerable.Range(0, ways).Select(i => $"b{i}, "));
        var values = string.Concat(Enumerable.Range(0, ways).Select(i => $"{i * 5 % 13}:8, "));
        return text.Append($"b{ways}:  from {entries}b{turn}\n    %{ways + 1}:8 = phi {values}%{ways + 3}\n")
            .Append($"    %{ways + 2}:1 = LessUnsigned %{ways + 1}, 50:8\n")
            .Append($"    branch %{ways + 2} ? b{turn} : b{turn + 1}\n")
            .Append($"b{turn}:  from b{ways}\n    %{ways + 3}:8 = Add %{ways + 1}, 3:8\n    jump b{ways}\n")
            .Append($"b{turn + 1}:  from b{ways}\n")
            .Append($"    FrameWrite 1:32, %{ways + 1}\n    return frame 0:32, length 60:32, egress 1:64\n")
            .ToString();
    }

    /// <summary>A row of comparisons of which the first that holds says what is written to the frame.</summary>
    /// <param name="ways">The ways to the end.</param>
    /// <param name="effect">A line before the last of them.</param>
    private static string FirstMatch(int ways, string effect = "")
    {
        var values = Enumerable.Range(0, ways).Select(i => $"{i * 5 % 13}:8");
        return Decision(ways, effect)
            .Append($"b{ways}:  from {string.Join(", ", Enumerable.Range(0, ways).Select(i => $"b{i}"))}\n")
            .Append($"    %{ways + 1}:8 = phi {string.Join(", ", values)}\n")
            .Append($"    FrameWrite 1:32, %{ways + 1}\n    return frame 0:32, length 60:32, egress 1:64\n")
            .ToString();
    }

    /// <summary>The comparisons, all of whose ways come to one block.</summary>
    private static StringBuilder Decision(int ways, string effect)
    {
        var text = new StringBuilder("function Process\nb0:\n    %0:16 = FrameRead 36:32\n");
        for (var i = 1; i < ways; i++)
        {
            if (i > 1) text.Append($"b{i - 1}:  from b{i - 2}\n");
            if (i == ways - 1) text.Append(effect);
            text.Append($"    %{i}:1 = Equal %0, {i * 77}:16\n    branch %{i} ? b{ways} : b{i}\n");
        }
        return text.Append($"b{ways - 1}:  from b{ways - 2}\n    jump b{ways}\n");
    }
}
