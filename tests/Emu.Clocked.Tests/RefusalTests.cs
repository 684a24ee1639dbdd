using Emu.Compiler.Clocked;
using Emu.Compiler.Diagnostics;

namespace Emu.Clocked.Tests;

/// <summary>Code that does not fit into a cycle is an error, with number, line and what to do.</summary>
public sealed class RefusalTests
{
    [Theory]
    [InlineData(DiagnosticNumber.PauseFreeLoop, "while (input > 3) { } output = input;")]
    [InlineData(DiagnosticNumber.PauseFreeLoop, "for (uint i = 0; i < input; i++) output += input;")]
    [InlineData(DiagnosticNumber.LongOperation, "output = 100 / (input | 1);")]
    [InlineData(DiagnosticNumber.LongOperation, "output = 100 % (input | 1);")]
    [InlineData(DiagnosticNumber.MemoryPort, "output = large[input & 1023] + large[(input >> 8) & 1023];")]
    [InlineData(DiagnosticNumber.MemoryPort, "large[input & 1023] = 1; large[(input >> 8) & 1023] = 2;")]
    [InlineData(DiagnosticNumber.ClockedProgram, "input = 3;")]
    [InlineData(DiagnosticNumber.ClockedMember, "Kiwi.setGpioLeds8((int)input);")]
    [InlineData(DiagnosticNumber.ClockedMember, "hpr_primitives.hpr_sysleds(3);")]
    [InlineData(DiagnosticNumber.ClockedMember, "output = (uint)new Kiwi.ObjectHandler<uint>().size();")]
    [InlineData(DiagnosticNumber.ClockedMember, "output = Remote(input);")]
    [InlineData(DiagnosticNumber.ClockedMember, "outboard = input;")]
    [InlineData(DiagnosticNumber.ClockedMember, "output = (uint)Console.Read();")]
    [InlineData(DiagnosticNumber.ClockedMember, "Monitor.TryEnter(large, 3);")]
    [InlineData(DiagnosticNumber.Allocation, "large = new uint[1024];")]
    [InlineData(DiagnosticNumber.FloatingPoint, "output = (uint)(input * 0.5);")]
    public void It_is_refused_where_it_stands(int number, string statements)
    {
        var program = Source.Program($$"""
            [Kiwi.InputWordPort("input")] static uint input;
            [Kiwi.OutputWordPort("output")] static uint output;
            static uint[] large = new uint[1024];
            [Kiwi.OutboardArray("x")] static uint outboard;

            [Kiwi.Remote("HFAST")] static uint Remote(uint number) => number;

            [Kiwi.HardwareEntryPoint]
            public static void Main()
            {
                while (true)
                {
                    Kiwi.Pause();
                    large[3] = 1;
                    Kiwi.Pause();
            #line 100
                    {{statements}}
                }
            }
            """);
        var refused = Assert.Throws<CompileException>(() => ClockedCompiler.Compile(program));
        Assert.Equal(number, refused.Number);
        Assert.Equal(100, refused.Location?.Line);
    }

    [Theory]
    [InlineData("output = large[input & 1]; if (input > 2) output = large[2];", 8)]
    [InlineData("if (input > 7) output = large[input & 1023]; else output = large[3];", 1024)]
    [InlineData("if (input > 7) large[input & 1023] = 1; else large[3] = 2;", 1024)]
    [InlineData("output = 1000003 / 7 % 13 + input / 10 + input % 10;", 1024)]
    [InlineData("int i = 0; while (true) { output += input; if (++i == 5) break; }", 1024)]
    public void What_fits_is_the_same_on_every_rung(string statements, int length) => Trace.Check(Source.Program($$"""
        [Kiwi.InputWordPort("input")] static uint input;
        [Kiwi.OutputWordPort("output")] static uint output;
        static uint[] large = new uint[{{length}}];

        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            while (true)
            {
                Kiwi.Pause();
                {{statements}}
                Kiwi.Pause();
                large[(input >> 3) & 7] = input;
            }
        }
        """));

    [Fact]
    public void A_class_without_an_entry_point_is_no_program() =>
        Assert.Throws<ClockedException>(() => Source.Program("public static void Main() { }"));

    [Fact]
    public void A_port_is_a_number() => Assert.Throws<ClockedException>(() => Source.Program("""
        [Kiwi.InputWordPort("text")] static string text = "";
        [Kiwi.HardwareEntryPoint] public static void Main() => Kiwi.Pause();
        """));

    [Theory]
    [InlineData("[Kiwi.HwWidth(12)] static ushort last;", "Example.last")]
    [InlineData("[Kiwi.HwWidth(12)] static ushort[] last = new ushort[4];", "Example.last")]
    [InlineData("[Kiwi.HwWidth(12)] static string last = \"\";", "Example.last")]
    [InlineData("class Note { [Kiwi.HwWidth(12)] public ushort last; }", "Note.last")]
    [InlineData("class Note<T> { [Kiwi.HwWidth(12)] public ushort last; }", "Note`1.last")]
    [InlineData("[Kiwi.RtlParameter(\"LAST\", 3), Kiwi.HwWidth(12)] static ushort last = 3;", "Example.last")]
    public void A_width_belongs_to_a_port(string field, string name)
    {
        var refused = Assert.Throws<ClockedException>(() => Program(field));
        Assert.Equal(DiagnosticNumber.ClockedProgram, refused.Number);
        Assert.Contains($"HwWidth(12) is for a port, and {name} is none", refused.Message);
    }

    [Theory]
    [InlineData("[Kiwi.HwWidth(16)] static ushort last;")]
    [InlineData("[Kiwi.HwWidth(1)] static bool last;")]
    [InlineData("[Kiwi.HwWidth(16)] static ushort[] last = new ushort[4];")]
    [InlineData("class Note { [Kiwi.HwWidth(16)] public short last; }")]
    public void A_width_that_a_field_has_anyway_may_be_said(string field) => Assert.Empty(Program(field).Ports);

    private static ClockedProgram Program(string field) => Source.Program($$"""
        {{field}}
        [Kiwi.HardwareEntryPoint] public static void Main() => Kiwi.Pause();
        """);
}
