using Emu.Compiler.Devices;
using Emu.Compiler.IR;
using Emu.Compiler.Reports;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Verilog;

namespace Emu.Compiler.Tests;

/// <summary>Whatever is known by opcode besides its table, is known of each opcode that a circuit can have.</summary>
public sealed class OpcodeCoverageTests
{
    /// <summary>Pure ones, but for the sum that is taken apart before there is a circuit.</summary>
    public static TheoryData<Opcode> OfCircuits =>
    [
        .. OpcodeTable.All.Where(row => row.Kind == OpcodeKind.Pure && row.Opcode != Opcode.OnesSum)
            .Select(row => row.Opcode),
    ];

    [Fact]
    public void Delays_are_of_the_opcodes_of_circuits_and_no_others() =>
        Assert.Equal(
            OfCircuits.Select(row => row.Data).Order(), OperatorTable.All.Select(row => row.Opcode).Order());

    [Theory]
    [MemberData(nameof(OfCircuits))]
    public void An_opcode_of_circuits_has_delays_a_size_and_a_text(Opcode opcode)
    {
        var design = Around(opcode, out var operation);
        DesignVerifier.Verify(design);
        foreach (var device in Device.Names.Select(Device.Of))
        {
            var path = LogicLevels.Of(operation, device);
            Assert.Equal(path.Levels > 0, path.PicosecondsOn(device) > 0);
            Assert.True(new Delays(device).LevelsOf(operation) >= 0);
        }
        Assert.NotNull(new LogicEstimate(design));
        Assert.Contains("endmodule", VerilogPrinter.Print(design));
    }

    private static Design Around(Opcode opcode, out Operation operation)
    {
        const int Wide = 12, Narrow = 6;
        var widths = opcode switch
        {
            Opcode.Select => (Own: Wide, Operands: new[] { 1, Wide, Wide }),
            Opcode.Equal or Opcode.LessUnsigned or Opcode.LessSigned => (1, [Wide, Wide]),
            Opcode.Concat => (Wide, [Narrow, Narrow]),
            Opcode.ZeroExtend or Opcode.SignExtend => (Wide, [Narrow]),
            Opcode.Truncate or Opcode.Extract => (Narrow, [Wide]),
            _ => (Wide, [.. Enumerable.Repeat(Wide, OpcodeTable.Of(opcode).Arity)]),
        };
        var design = new Design("one_operation");
        var section = new Section("all");
        var operands = widths.Operands.Select((width, i) =>
        {
            var port = new InputPort($"in_{i}", width);
            design.Inputs.Add(port);
            var flop = new Flop($"from_{i}_reg", width, null) { Next = new InputBits(port, 0, width) };
            section.Items.Add(flop);
            return flop;
        }).ToList();
        operation = new Operation(opcode, widths.Own, operands);
        var result = new Flop("to_reg", widths.Own, null) { Next = operation };
        section.Items.Add(result);
        design.Sections.Add(section);
        design.Outputs.Add(new OutputPort("out", result));
        return design;
    }
}
