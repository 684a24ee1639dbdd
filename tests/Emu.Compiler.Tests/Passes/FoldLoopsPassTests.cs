namespace Emu.Compiler.Tests;

/// <summary>The pass <c>fold-loops</c> makes loops of the slow path's folds.</summary>
public sealed class FoldLoopsPassTests() : PassTests("fold-loops")
{
    [Fact]
    public void A_fold_of_the_slow_path_is_a_loop()
    {
        var (given, left) = InSlowPath(
            """
            fold 0 bytes 1 bounds 1 invariants 0 found 0
            function turn
            b0:
                %0:8 = phi
                %1:16 = phi
                %2:1 = phi
                %3:8 = phi
                %4:8 = Xor %3, %0
                yield %2 ? %4
            """,
            """
            %2:8 = FrameFold fold 0 14:16, 60:16, 0:8
            FrameWrite 0:32, %2
            """);
        Assert.Contains("FrameFold fold 0 14:16, 60:16, 0:8", given, StringComparison.Ordinal);
        Assert.Contains("= phi 14:16, ", left, StringComparison.Ordinal);
        Assert.DoesNotContain("FrameFold", left, StringComparison.Ordinal);
    }

    [Fact]
    public void A_walk_of_the_slow_path_counts_what_it_passes_over()
    {
        var (given, left) = InSlowPath(
            """
            fold 0 bytes 1 bounds 1 invariants 0 found 0 walk
            function turn
            b0:
                %0:8 = phi
                %1:16 = phi
                %2:1 = phi
                %3:8 = phi
                %4:1 = Equal %3, 0:8
                %5:8 = Subtract %3, 1:8
                %6:8 = Select %4, %0, %5
                %7:1 = And %4, %2
                yield %7 ? %6
            """,
            """
            %2:8 = FrameFold fold 0 14:16, 60:16, 0:8
            FrameWrite 0:32, %2
            """);
        Assert.Contains("found 0 walk", given, StringComparison.Ordinal);
        Assert.DoesNotContain("FrameFold", left, StringComparison.Ordinal);
    }

    [Fact]
    public void A_walk_whose_state_is_hidden_goes_by_what_it_passes_over_at_once()
    {
        var (given, left) = InSlowPath(
            """
            fold 0 bytes 1 bounds 1 invariants 0 found 1 walk hidden
            function turn
            b0:
                %0:8 = phi
                %1:16 = phi
                %2:1 = phi
                %3:8 = phi
                %4:1 = Equal %3, 0:8
                %5:8 = Subtract %3, 1:8
                %6:8 = Select %4, %0, %5
                %7:8 = Select %2, 0:8, %0
                yield %2 ? %7, %6
            """,
            """
            %2:8 = FrameFold fold 0 14:16, 60:16, 0:8
            FrameWrite 0:32, %2
            """);
        Assert.Contains("found 1 walk hidden", given, StringComparison.Ordinal);
        Assert.DoesNotContain("FrameFold", left, StringComparison.Ordinal);
        // Nothing counts down to the next byte that is looked at: it is that far behind.
        Assert.DoesNotContain("Subtract", left, StringComparison.Ordinal);
    }

    [Fact]
    public void A_map_of_the_slow_path_is_a_loop_that_writes()
    {
        var (given, left) = InSlowPath(
            """
            fold 0 bytes 1 bounds 1 invariants 1 found 1
            function turn
            b0:
                %0:8 = phi
                %1:16 = phi
                %2:1 = phi
                %3:8 = phi
                %4:8 = Xor %3, %0
                yield %2 ? %4
            """,
            "FrameMap fold 0 14:16, 60:16, 7:8");
        Assert.Contains("FrameMap fold 0 14:16, 60:16, 7:8", given, StringComparison.Ordinal);
        Assert.Contains("FrameWrite", left, StringComparison.Ordinal);
        Assert.DoesNotContain("FrameMap", left, StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_no_fold_stays() =>
        Leaves("""
            function Process
            b0:
                %0:8 = FrameRead 0:32
                %1:1 = Equal %0, 1:8
                branch %1 ? b1 : b2
            b1:  from b0
                return frame 0:32, length 60:32, egress 1:64
            b2:  from b0
                side-exit b3 "a copy is sent"
            b3:  from b2
                return frame 0:32, length 60:32, egress 2:64

            """);

    /// <summary>The IR before and behind the pass, of a frame that is deferred.</summary>
    /// <param name="fold">The fold.</param>
    /// <param name="operations">The slow path's operations.</param>
    private (string Given, string Left) InSlowPath(string fold, string operations) => PassRun.Of(
        PassRun.All.Single(pass => pass.Name == Name),
        $"""
        {fold}
        function Process
        b0:
            %0:8 = FrameRead 0:32
            %1:1 = Equal %0, 1:8
            branch %1 ? b1 : b2
        b1:  from b0
            return frame 0:32, length 60:32, egress 1:64
        b2:  from b0
            side-exit b3 "a copy is sent"
        b3:  from b2
            {operations.Replace("\n", "\n    ", StringComparison.Ordinal)}
            return frame 0:32, length 60:32, egress 1:64

        """);
}
