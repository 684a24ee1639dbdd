using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation.Tests;

/// <summary>Cells and depth of designs of which they are known.</summary>
[Slow("Yosys")]
public sealed class SynthesisTests
{
    [Fact]
    public void Gates_between_flops_are_counted_and_their_depth_ends_there()
    {
        if (Synthesis.WhyNot is { } why) Assert.Skip(why);
        const int Width = 4;
        var input = new InputPort("a", 2 * Width);
        var (left, right) =
            (Held("left", new InputBits(input, 0, Width)), Held("right", new InputBits(input, Width, Width)));
        var both = Held("both", new Operation(Opcode.Xor, Width, left, right));
        var section = new Section("all");
        section.Items.AddRange([left, right, both]);
        var design = new Design("gates");
        design.Inputs.Add(input);
        design.Sections.Add(section);
        design.Outputs.Add(new OutputPort("x", both));

        // A flop's output and a LUT, of the slowest Artix-7.
        Assert.Equal(
            new SynthesisFigures(
                Lut: Width, Ff: 3 * Width, LutRam: 0, Srl: 0, BlockRamKbit: 0, Dsp: 0, Depth: 1,
                Picoseconds: 303 + 238),
            Synthesis.Run(design));
        Assert.StartsWith("Yosys ", Synthesis.Tool);
    }

    [Fact]
    public void Synthesis_that_would_take_too_long_is_ended()
    {
        if (Synthesis.WhyNot is { } why) Assert.Skip(why);
        var input = new InputPort("a", 1);
        var held = Held("held", new InputBits(input, 0, 1));
        var section = new Section("all");
        section.Items.Add(held);
        var design = new Design("one");
        design.Inputs.Add(input);
        design.Sections.Add(section);
        design.Outputs.Add(new OutputPort("x", held));

        Assert.Null(Synthesis.Run(design, TimeSpan.FromMilliseconds(1)));
        Assert.Equal(1, Synthesis.Run(design, TimeSpan.FromMinutes(30))!.Ff);
    }

    /// <summary>Distributed RAM is counted by the LUTs that it occupies, and a path ends at it.</summary>
    [Fact]
    public void A_small_RAM_is_LUTs()
    {
        if (Synthesis.WhyNot is { } why) Assert.Skip(why);
        var input = new InputPort("a", 6 + 6 + 1 + 1);
        var ram = new Ram("words", 1, 64)
        {
            Write = new RamWrite(new InputBits(input, 0, 6), new InputBits(input, 12, 1), new InputBits(input, 13, 1)),
        };
        var read = new RamRead("word", ram, new InputBits(input, 6, 6), isRegistered: false);
        var held = Held("held", read);
        var section = new Section("all");
        section.Items.AddRange([ram, read, held]);
        var design = new Design("small_ram");
        design.Inputs.Add(input);
        design.Sections.Add(section);
        design.Outputs.Add(new OutputPort("x", held));

        var figures = Synthesis.Run(design);
        // RAM64X1D occupies two LUTs, RAM64M, with four ports, four.
        Assert.True(figures is { LutRam: 2 or 4, Ff: 1, BlockRamKbit: 0 }, $"{figures}");
        Assert.Equal(0, figures.Depth);
    }

    /// <summary>A path that begins at a block RAM has the time of its read.</summary>
    [Fact]
    public void A_path_from_a_block_RAM_begins_with_its_read()
    {
        if (Synthesis.WhyNot is { } why) Assert.Skip(why);
        const int Width = 36, Index = 10;
        var input = new InputPort("a", 2 * Index + Width + 1);
        var ram = new Ram("words", Width, 1 << Index)
        {
            Write = new RamWrite(
                new InputBits(input, 0, Index), new InputBits(input, 2 * Index, Width),
                new InputBits(input, 2 * Index + Width, 1)),
        };
        var read = new RamRead("word", ram, new InputBits(input, Index, Index), isRegistered: true);
        var held = Held("held", new Operation(Opcode.Add, Width, read, read));
        var section = new Section("all");
        section.Items.AddRange([ram, read, held]);
        var design = new Design("large_ram");
        design.Inputs.Add(input);
        design.Sections.Add(section);
        design.Outputs.Add(new OutputPort("x", held));

        var figures = Synthesis.Run(design);
        Assert.Equal(36, figures.BlockRamKbit);
        Assert.InRange(figures.Picoseconds!.Value, 2454, 6000);
    }

    private static Flop Held(string name, Value value) => new($"{name}_reg", value.Width, null) { Next = value };
}
