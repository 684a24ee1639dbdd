using Emu.Compiler.Clocked;
using Emu.Simulation;

namespace Emu.Clocked.Tests;

/// <summary>A number that is given to a module means what a field that holds it means on .NET.</summary>
public sealed class ParameterTests
{
    private const string Begin = """
        [Kiwi.InputWordPort("word")] static uint word;
        [Kiwi.OutputWordPort("sum")] static uint sum;
        [Kiwi.RtlParameter("LENGTH")] static int length = 5;

        """;

    /// <summary>Statements of a cycle that use the number as a value.</summary>
    public static TheoryData<string> Uses =>
    [
        "sum += word * (uint)length;",
        "for (int i = 0; i < length; i++) { sum += word >> i; Kiwi.Pause(); }",
        "if (length > 3 && word > (uint)length) sum -= (uint)(length - 7); else sum ^= word << length;",
        "int kept = length; Kiwi.Pause(); sum = sum * 3 + (uint)(kept < 0 ? -kept : kept);",
        "Console.WriteLine($\"{length} {word > length}\");",
    ];

    [Theory]
    [MemberData(nameof(Uses))]
    public void Another_number_means_what_the_field_means(string statements)
    {
        var program = Program(statements);
        var design = ClockedCompiler.Compile(program.Again()).Design;
        Assert.Equal("LENGTH", Assert.Single(design.Parameters).Name);
        foreach (var number in new[] { 5, 2, -9 })
        {
            var trace = Trace.OfDotNet(
                program, 100, Trace.Random(number), numbers: [("LENGTH", (uint)number)]);
            design.Parameters[0].Number = (uint)number;
            Assert.Null(trace.Difference(new ManagedSimulator(design)));
            if (number != 5 && IcarusSimulator.WhyNot is null)
                Assert.Null(trace.Difference(new IcarusSimulator(design)));
        }
    }

    [Fact]
    public void Verilator_is_given_the_number()
    {
        Assert.SkipWhen(VerilatorSimulator.WhyNot is not null, VerilatorSimulator.WhyNot ?? "");
        var program = Program("sum += word * (uint)length;");
        var trace = Trace.OfDotNet(program, 20, Trace.Random(1), numbers: [("LENGTH", 77)]);
        var design = ClockedCompiler.Compile(program.Again()).Design;
        design.Parameters[0].Number = 77;
        Assert.Null(trace.Difference(Trace.Verilator(design)));
    }

    [Fact]
    public void The_module_has_it_with_its_number()
    {
        var circuit = ClockedCompiler.Compile(Program("sum = (uint)length;"));
        Assert.Contains("#(\n    parameter [31:0] LENGTH = 32'd5\n)", circuit.Verilog, StringComparison.Ordinal);
    }

    /// <summary>The number is part of the circuit where something was computed with it.</summary>
    [Theory]
    [InlineData("for (int i = 0; i < length; i++) sum += word >> i;", "")]
    [InlineData("sum += words[word & 3];", "static uint[] words = new uint[length];")]
    [InlineData("sum += twice;", "static uint twice = (uint)Twice(); static int Twice() => 2 * length;")]
    [InlineData("sum += (uint)length; length = 7;", "")]
    [InlineData("sum += first;", "static uint first; static Example() { first = (uint)length; }")]
    public void A_number_that_was_computed_with_is_no_parameter(string statements, string members) =>
        Assert.Empty(ClockedCompiler.Compile(Program(statements, members)).Design.Parameters);

    private static ClockedProgram Program(string statements, string members = "") => Source.Program($$"""
        {{Begin}}{{members}}
        [Kiwi.HardwareEntryPoint]
        public static void Main() { while (true) { Kiwi.Pause(); {{statements}} } }
        """);
}
