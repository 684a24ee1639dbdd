using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;
using Emu.Compiler;
using Emu.Compiler.Clocked;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Layouts;
using Microsoft.CodeAnalysis;

namespace Emu.Clocked.Tests;

/// <summary>
/// Each program on a page of docs/diagnostics is refused with the message that stands behind it; one without a message
/// is what to write instead. After a change on purpose: EMU_RECORD=1.
/// </summary>
public sealed partial class DiagnosticPageTests
{
    private const string OfServices = "using Emu; using System.Buffers.Binary;\n#line 1\n";

    public static TheoryData<int> Numbers =>
    [
        DiagnosticNumber.ClockedMember, DiagnosticNumber.PauseFreeLoop, DiagnosticNumber.MemoryPort,
        DiagnosticNumber.LongOperation, DiagnosticNumber.ClockedProgram, DiagnosticNumber.TwoWriters,
        DiagnosticNumber.PrintedText, DiagnosticNumber.Dialect,
    ];

    [Theory]
    [MemberData(nameof(Numbers))]
    public void Each_program_of_a_page_is_refused_with_the_message_of_the_page(int number)
    {
        var page = PageOf(number);
        Assert.Contains(Program().Matches(page), block => block.Groups["message"].Success);
        var actual = Program().Replace(page, block => block.Groups["message"] is { Success: true } message
            ? block.Value.Replace($"```text\n{message.Value}", $"```text\n{MessageOf(number, block)}\n")
            : block.Value);
        Write(number, actual);
        Assert.Equal(page, actual);
        Assert.All(
            Program().Matches(page).Select(block => block.Groups["message"]).Where(message => message.Success),
            message => Assert.StartsWith($"EMU{number:D4}: ", message.Value));
    }

    [Theory]
    [MemberData(nameof(Numbers))]
    public void What_to_write_instead_is_the_same_on_every_rung(int number)
    {
        var instead = Program().Matches(PageOf(number)).Where(block => !block.Groups["message"].Success).ToList();
        Assert.NotEmpty(instead);
        foreach (var text in instead.Select(block => block.Groups["code"].Value))
            Trace.Check(Source.File(number == DiagnosticNumber.Dialect ? Dialect(text) : text));
    }

    private static string MessageOf(int number, Match block)
    {
        var code = block.Groups["code"].Value;
        try
        {
            if (number == DiagnosticNumber.Dialect) return Dialect(code);
            var program = Source.File(code, OptimizationLevel.Debug);
            _ = ClockedCompiler.Compile(program.Again());
            _ = Trace.OfDotNet(program, 300, Trace.Random(1));
        }
        catch (CompileException refused)
        {
            return refused.Message;
        }
        catch (ClockedException refused)
        {
            return AssemblyName().Replace(refused.Message, "Example.dll");
        }
        return "it is not refused";
    }

    /// <summary>A service as a program of the clock level.</summary>
    private static string Dialect(string code)
    {
        var assembly = Assembly.LoadFrom(Source.Assembly(OfServices + code, OptimizationLevel.Debug));
        var service = (Service)Activator.CreateInstance(assembly.GetType("Example")!)!;
        return DialectCompiler.Compile(service, new HardwareOptions()).Source;
    }

    private static string PageOf(int number)
    {
        using var page = Assembly.GetExecutingAssembly().GetManifestResourceStream($"Diagnostics/EMU{number:D4}.md")!;
        using var reader = new StreamReader(page);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }

    private static void Write(int number, string page, [CallerFilePath] string thisFile = "")
    {
        if (Environment.GetEnvironmentVariable("EMU_RECORD") != "1") return;
        var folder = Path.Combine(Path.GetDirectoryName(thisFile)!, "..", "..", "docs", "diagnostics");
        File.WriteAllText(Path.Combine(folder, $"EMU{number:D4}.md"), page);
    }

    [GeneratedRegex(
        "^```csharp\n(?<code>((?!```).*\n)*)```\n(\n```text\n(?<message>((?!```).*\n)*)```\n)?",
        RegexOptions.Multiline | RegexOptions.ExplicitCapture)]
    private static partial Regex Program();

    [GeneratedRegex(@"\bexample\d+\.dll")]
    private static partial Regex AssemblyName();
}
