using System.Runtime.CompilerServices;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Layouts;
using Emu.Fuzz;
using Emu.Testing;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>
/// Code is refused as its page says, and the code that the page recommends instead compiles.
/// After a change on purpose: EMU_RECORD=1.
/// </summary>
public sealed class DiagnosticPageTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("emu-").FullName;

    public static TheoryData<int> WithExample =>
        [.. DiagnosticPage.All.Where(page => page.Example is not null).Select(page => page.Number)];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Every_number_has_a_page_and_every_page_a_number()
    {
        var numbers = typeof(DiagnosticNumber).GetFields().Select(field => (int)field.GetRawConstantValue()!).Order();
        Assert.Equal(numbers, DiagnosticPage.All.Select(page => page.Number));
        Assert.All(DiagnosticPage.All, page => Assert.StartsWith($"# EMU{page.Number:D4}: ", page.Text));
    }

    /// <summary>
    /// C# cannot show damaged CIL nor a mistake of the compiler; what only a layout refuses compiles to IR.
    /// </summary>
    [Fact]
    public void Every_page_has_an_example_but_those_that_have_none() =>
        Assert.Equal(
            [
                DiagnosticNumber.InvalidCil, DiagnosticNumber.Layout, DiagnosticNumber.InternalError,
                DiagnosticNumber.Interval, DiagnosticNumber.RegisterMap, DiagnosticNumber.LongPath,
                DiagnosticNumber.Size, .. DiagnosticPage.ClockLevel,
            ],
            DiagnosticPage.All.Where(page => page.Example is null).Select(page => page.Number));

    [Theory]
    [MemberData(nameof(WithExample))]
    public void The_example_is_refused_with_the_message_of_the_page(int number)
    {
        var page = DiagnosticPage.All.Single(p => p.Number == number);
        foreach (var level in new[] { OptimizationLevel.Debug, OptimizationLevel.Release })
        {
            var refused = Assert.Throws<CompileException>(() =>
                HardwareCompiler.Translate(Load(page, page.Example!, level), Subject.Ports, Subject.Capacity));
            Assert.Equal(number, refused.Number);
            if (level == OptimizationLevel.Debug) Record(page, refused.Message);
            if (level == OptimizationLevel.Debug) Assert.Equal(page.Message, refused.Message);
        }
    }

    [Theory]
    [MemberData(nameof(WithExample))]
    public void What_to_write_instead_does_the_same_on_every_rung(int number)
    {
        var page = DiagnosticPage.All.Single(p => p.Number == number);
        var type = Load(page, page.Instead!, OptimizationLevel.Release);
        var difference = Ladder.Difference(
            () => (Service)Activator.CreateInstance(type)!, FrameGenerator.Generate((ulong)number, 40));
        Assert.True(difference is null, difference);
    }

    /// <summary>
    /// An array of the constructor would not be a pipeline: it is written at several places by one frame.
    /// </summary>
    [Fact]
    public void What_to_write_instead_of_stackalloc_is_a_pipeline()
    {
        var page = DiagnosticPage.All.Single(p => p.Number == DiagnosticNumber.UnsafeCode);
        var service = (Service)Activator.CreateInstance(Load(page, page.Instead!, OptimizationLevel.Release))!;
        Assert.Equal(Layout.Pipeline, HardwareCompiler.Compile(service, new HardwareOptions()).Layout);
    }

    private Type Load(DiagnosticPage page, string text, OptimizationLevel level)
    {
        var name = $"EMU{page.Number:D4}";
        var folder = Directory.CreateDirectory(Path.Combine(_folder, $"{level}")).FullName;
        var compilation = SourceAssembly.Parse($"{name}.{level}.{Guid.NewGuid()}", level, [($"{name}.cs", text)]);
        return SourceAssembly.LoadWithSymbols(compilation, folder).GetType("Example")!;
    }

    private static void Record(DiagnosticPage page, string message, [CallerFilePath] string thisFile = "")
    {
        if (Environment.GetEnvironmentVariable("EMU_RECORD") != "1" || page.Message == message) return;
        var file = Path.Combine(
            Path.GetDirectoryName(thisFile)!, "..", "..", "docs", "diagnostics", $"EMU{page.Number:D4}.md");
        File.WriteAllText(
            file,
            page.Text.Replace($"```text\n{page.Message}\n```", $"```text\n{message}\n```", StringComparison.Ordinal));
    }
}
