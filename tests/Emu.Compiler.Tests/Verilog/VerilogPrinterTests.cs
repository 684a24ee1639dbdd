using System.Diagnostics;
using System.Runtime.CompilerServices;
using Emu.Compiler.IR;
using Emu.Compiler.Rtl;
using Emu.Compiler.Verilog;

namespace Emu.Compiler.Tests.Verilog;

/// <summary>
/// The printed text. The tests with the simulators check that it means what the design means,
/// and that no tool warns of it.
/// </summary>
public sealed class VerilogPrinterTests
{
    /// <summary>
    /// After a change on purpose: EMU_RECORD=1, run the test, read the file as a reviewer would, commit it.
    /// </summary>
    [Fact]
    public void A_register_slice_reads_like_one()
    {
        var file = Path.Combine(Folder(), "register_slice.v");
        var now = VerilogPrinter.Print(RegisterSlice.Build());
        if (Environment.GetEnvironmentVariable("EMU_RECORD") == "1") File.WriteAllText(file, now);
        Assert.Equal(File.ReadAllText(file).ReplaceLineEndings("\n"), now);
    }

    [Fact]
    public void The_same_design_gives_the_same_bytes() =>
        Assert.Equal(VerilogPrinter.Print(RegisterSlice.Build()), VerilogPrinter.Print(RegisterSlice.Build()));

    /// <summary>Yosys takes for a block a time that grows with the square of its words.</summary>
    [Fact]
    public void Words_of_a_large_table_are_in_blocks_of_few()
    {
        const int Depth = 4096;
        var design = new Design("table");
        design.Inputs.Add(new InputPort("a", 12));
        var ram = new Ram("squares", 32, Depth, [.. Enumerable.Range(0, Depth).Select(i => (UInt128)(i * i))]);
        var read = new RamRead("square", ram, new InputBits(design.Inputs[0], 0, 12), isRegistered: true);
        var section = new Section("Table");
        design.Sections.Add(section);
        section.Items.AddRange([ram, read]);
        design.Outputs.Add(new OutputPort("x", [read]));
        var text = VerilogPrinter.Print(design);
        var blocks = text.Split("initial begin : ")[1..];
        Assert.Equal(blocks.Length, blocks.Select(block => block[..block.IndexOf('\n')]).Distinct().Count());
        Assert.All(blocks, block => Assert.InRange(block.Split("squares[").Length, 2, 129));
        Assert.Equal(
            Depth - 1, text.Split('\n').Count(line => line.StartsWith("    squares[", StringComparison.Ordinal)));
    }

    [Fact]
    public void Fifty_thousand_operations_are_printed_in_short_lines_in_seconds()
    {
        var design = new Design("deep");
        design.Inputs.Add(new InputPort("a", 32));
        var a = new InputBits(design.Inputs[0], 0, 32);
        Value deep = a;
        Value shared = a;
        for (var i = 0; i < 25_000; i++)
        {
            var opcode = (i % 4) switch { 0 => Opcode.Add, 1 => Opcode.Xor, 2 => Opcode.Subtract, _ => Opcode.Or };
            deep = i % 2 == 0 ? new Operation(opcode, 32, deep, a) : new Operation(opcode, 32, a, deep);
            shared = new Operation(
                Opcode.Select, 32, new Operation(Opcode.LessUnsigned, 1, a, new Constant(32, (UInt128)i + 1)), a,
                shared);
        }
        var section = new Section("Deep");
        design.Sections.Add(section);
        section.Items.AddRange(
            [new Flop("x_reg", 32, null) { Next = deep }, new Flop("y_reg", 32, null) { Next = shared }]);
        design.Outputs.Add(new OutputPort("x", [.. design.Flops]));

        var time = Stopwatch.StartNew();
        var text = VerilogPrinter.Print(design);

        Assert.InRange(time.Elapsed.TotalSeconds, 0, 10);
        Assert.All(text.Split('\n'), line => Assert.InRange(line.Length, 0, 140));
    }

    [Fact]
    public void Reserved_words_get_an_underscore()
    {
        var design = new Design("module");
        design.Inputs.Add(new InputPort("wire", 1));
        var section = new Section("Words");
        design.Sections.Add(section);
        var flop = new Flop("logic", 1, null) { Next = new InputBits(design.Inputs[0], 0, 1) };
        section.Items.Add(flop);
        design.Outputs.Add(new OutputPort("reg", flop));

        var text = VerilogPrinter.Print(design);

        Assert.Contains("module module_\n", text);
        Assert.Contains("    logic_ <= wire_;\n", text);
        Assert.Contains("assign reg_ = logic_;\n", text);
    }

    [Fact]
    public void A_value_that_depends_on_itself_is_refused()
    {
        var design = new Design("loop");
        var section = new Section("Loop");
        design.Sections.Add(section);
        var ram = new Ram("ram", 1, 2);
        var read = new RamRead("word", ram, new Constant(1, 0), isRegistered: false);
        var wire = new Wire("wire_a", new Operation(Opcode.Xor, 1, read, new Constant(1, 1)));
        read.Address = wire;
        section.Items.AddRange([ram, read, wire]);

        Assert.Contains(
            "depends on itself", Assert.Throws<InvalidOperationException>(() => VerilogPrinter.Print(design)).Message);
    }

    private static string Folder([CallerFilePath] string thisFile = "") => Path.GetDirectoryName(thisFile)!;
}
