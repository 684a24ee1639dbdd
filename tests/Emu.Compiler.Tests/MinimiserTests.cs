using Emu.Fuzz;

namespace Emu.Compiler.Tests;

public sealed class MinimiserTests
{
    [Fact]
    public void What_does_not_matter_for_a_failure_is_left_out()
    {
        const string Start = "var source = bytes[11];";
        var program = ProgramGenerator.Generate(7)
            .Replace(
                Start, $"{Start} if (source > 3) bytes[1] = unchecked((byte)(source * 77));", StringComparison.Ordinal);
        Assert.Contains("* 77", program);

        // As if every multiplication by 77 were translated wrongly.
        var small = Minimiser.Shrink(
            program, text => text.Contains("* 77", StringComparison.Ordinal) && IsValid(text), patience: 600);

        Assert.Contains("* 77", small);
        Assert.InRange(small.Length, 1, 250);
    }

    private static bool IsValid(string text) =>
        !SourceAssembly.Parse("Program", Microsoft.CodeAnalysis.OptimizationLevel.Debug, [("Program.cs", text)])
            .GetDiagnostics().Any(d => d.Severity == Microsoft.CodeAnalysis.DiagnosticSeverity.Error);
}
