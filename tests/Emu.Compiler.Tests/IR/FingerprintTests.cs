using Emu.Compiler.IR;

namespace Emu.Compiler.Tests;

/// <summary>Functions that are told apart by a number, so that a pass is not run twice over the same.</summary>
public sealed class FingerprintTests
{
    private const string Text =
        """
        register A: 8 = 1
        register B: 8 = 1
        function Process
        b0:
            %0:8 = FrameRead 14:32
            %1:8 = FrameRead 15:32
            %2:1 = LessUnsigned %0, %1
            branch %2 ? b1 : b2
        b1:  from b0
            %3:4 = Extract %0 low 4
            RegisterWrite [A] %0
            return frame 0:32, length 60:32, egress 1:64
        b2:  from b0
            %4:8 = RegisterRead [A]
            %5:1 = Equal %4, 0:8
            branch %5 ? b3 : b4
        b3:  from b2
            return frame 0:32, length 60:32, egress 2:64
        b4:  from b2
            fault DivideByZero

        """;

    [Fact]
    public void The_same_function_has_the_same_number()
    {
        var functions = Reader.Read(Text).Functions;
        Assert.Equal(Fingerprint.Of(functions), Fingerprint.Of(functions));
    }

    [Theory]
    [InlineData("14:32", "13:32")]
    [InlineData("LessUnsigned %0, %1", "LessUnsigned %1, %0")]
    [InlineData("LessUnsigned", "LessSigned")]
    [InlineData("low 4", "low 3")]
    [InlineData("? b1 : b2", "? b2 : b1")]
    [InlineData("egress 2:64", "egress 3:64")]
    [InlineData("Write [A]", "Write [B]")]
    [InlineData("return frame 0:32, length 60:32, egress 2:64", "side-exit \"rare\"")]
    [InlineData("fault DivideByZero", "fault IndexOutOfRange")]
    [InlineData("fault DivideByZero", "side-exit \"rare\"")]
    public void Another_has_another(string before, string after)
    {
        // State is told apart by identity, so both texts are one.
        var read = Reader.Read($"{Text}function Tick\n{Text[Text.IndexOf("b0:", StringComparison.Ordinal)..]
            .Replace(before, after, StringComparison.Ordinal)}").Functions;
        Assert.NotEqual(Fingerprint.Of([read[0]]), Fingerprint.Of([read[1]]));
    }

    [Fact]
    public void A_copy_has_the_same()
    {
        var body = Text[Text.IndexOf("b0:", StringComparison.Ordinal)..];
        var read = Reader.Read($"{Text}function Tick\n{body}").Functions;
        Assert.Equal(Fingerprint.Of([read[0]]), Fingerprint.Of([read[1]]));
    }
}
