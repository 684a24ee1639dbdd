using Emu.Compiler.IR;
using Emu.Compiler.Passes;

namespace Emu.Compiler.Tests;

/// <summary>The ways that a program likely goes, by what is used there of what has been found.</summary>
public sealed class LikelyWaysTests
{
    /// <summary>A word is looked up, and block 0 goes on to 1 or 2, which use something or not.</summary>
    private const string Text =
        """
        memory Table: 16 x 4 = 1, 2, 3, 4
        memory Other: 16 x 4 = 1, 2, 3, 4
        function Process
        b0:
            %0:8 = FrameRead 14:32
            %1:2 = Extract %0 low 0
            %2:16 = MemoryRead [Table] %1
            %3:16 = MemoryRead [Other] %1
            %4:8 = Extract %2 low 0
            %5:8 = Extract %3 low 0
            %6:1 = Equal %4, 7:8
            branch %6 ? b2 : b1
        b1:  from b0
            FrameWrite 15:32, FIRST
            return frame 0:32, length 60:32, egress 2:64
        b2:  from b0
            FrameWrite 15:32, SECOND
            return frame 0:32, length 60:32, egress 1:64

        """;

    [Theory]
    [InlineData("%4", "7:8", new[] { 1 })]
    [InlineData("1:8", "%5", new[] { 2 })]
    [InlineData("%4", "%4", new[] { 1, 2 })]
    [InlineData("%4", "%5", new[] { 1, 2 })]
    // What the frame says itself need not be looked for.
    [InlineData("%0", "7:8", new[] { 1, 2 })]
    [InlineData("%0", "%5", new[] { 2 })]
    public void They_are_those_that_use_what_has_been_found(string first, string second, int[] likely)
    {
        var text = Text.Replace("FIRST", first, StringComparison.Ordinal)
            .Replace("SECOND", second, StringComparison.Ordinal);
        var function = Reader.Read(text).Functions[0];
        Assert.Equal(likely, new LikelyWays(function).From(function.Entry).Select(block => block.Number).Order());
    }
}
