using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation.Tests.External;

/// <summary>Flops and RAMs at power-up, in reset and after, the same everywhere.</summary>
[Slow("Icarus, Verilator, Yosys")]
public sealed class StateTests
{
    [Fact]
    public void Flops_and_RAMs()
    {
        var design = Design("state");
        Lockstep.Check(design, 400, (simulator, cycle) =>
        {
            var random = new Random(cycle);
            // The first cycles are out of reset: they show what power-up leaves.
            simulator.IsInReset = cycle >= 5 && random.Next(10) == 0;
            foreach (var input in design.Inputs) simulator.Set(input.Name, Numbers.Next(random, input.Width));
        });
    }

    [Fact]
    public void Synthesis_finds_the_RAMs()
    {
        if (Synthesis.WhyNot is { } whyNot) Assert.Skip(whyNot);
        foreach (var (isRegistered, depth, cell) in ((bool, int, string)[])[(false, 64, "RAM64M"), (true, 512, "RAMB")])
        {
            var design = new Design(isRegistered ? "block" : "distributed");
            var (address, place) = (Input(design, "address", 9), Input(design, "place", 9));
            var (data, enable) = (Input(design, "data", 32), Input(design, "enable", 1));
            var section = new Section("A RAM");
            design.Sections.Add(section);
            var ram = new Ram("table_ram", 32, depth) { Write = new RamWrite(Low(place, depth), data, enable) };
            var read = new RamRead("table_word", ram, Low(address, depth), isRegistered);
            var word = new Flop("word_reg", 32, null) { Next = read };
            section.Items.AddRange([ram, read, word]);
            design.Outputs.Add(new OutputPort("word", word));

            var cells = Synthesis.Cells(design);
            Assert.Contains(cells, c => c.Key.StartsWith(cell, StringComparison.Ordinal));
            // The only flops hold the word behind the RAM.
            Assert.True(
                cells.Where(c => c.Key.StartsWith("FD", StringComparison.Ordinal)).Sum(c => c.Value) <= 32,
                string.Join(", ", cells));
        }
    }

    private static Value Low(Value value, int depth)
    {
        var width = System.Numerics.BitOperations.Log2((uint)depth);
        return width == value.Width ? value : new Operation(Opcode.Truncate, width, value);
    }

    private static InputBits Input(Design design, string name, int width)
    {
        var port = new InputPort(name, width);
        design.Inputs.Add(port);
        return new InputBits(port, 0, width);
    }

    private static Design Design(string name)
    {
        var design = new Design(name) { Description = ["Every kind of state"] };
        var (data, write, read, enable) = (
            Input(design, "data", 40), Input(design, "write", 4), Input(design, "read", 4), Input(design, "enable", 3));
        Value Bit(int bit) => new Operation(Opcode.Extract, 1, enable) { Low = bit };

        // Used here, and of a later section: declared before its use.
        var late = new Flop("late_reg", 40, 7) { Comment = "of a later section" };
        var lateWire = new Wire("late_wire", new Operation(Opcode.Add, 40, late, data));
        var flops = new Section("Flops");
        Flop[] kinds =
        [
            new("plain_reg", 40, null) { Next = data },
            new("enabled_reg", 40, null) { Next = data, Enable = Bit(0) },
            new("reset_reg", 40, 0x12_3456_789A) { Next = data },
            new("both_reg", 40, 5) { Next = new Operation(Opcode.Xor, 40, late, lateWire), Enable = Bit(0) },
            new("always", 1, 1) { Next = Bit(1), Enable = new Constant(1, 1) },
            new("idle_reg", 3, 5) { Next = enable, Enable = new Constant(1, 0) },
        ];
        kinds[4].Next = new Operation(Opcode.Equal, 1, kinds[4], Bit(1));
        flops.Items.AddRange(kinds);
        design.Sections.Add(flops);
        foreach (var flop in kinds) design.Outputs.Add(new OutputPort($"{flop.Name}_out", flop));

        var rams = new Section("RAMs");
        AddRam(
            design, rams, new Ram("written_ram", 40, 16) { Write = new RamWrite(write, data, Bit(2)) }, read, Bit(0));
        UInt128[] words = [.. Enumerable.Range(0, 16).Select(i => (UInt128)i * 0x1_0000_0001)];
        AddRam(
            design, rams, new Ram("filled_ram", 40, 16, words) { Write = new RamWrite(write, data, Bit(1)) }, read,
            Bit(0));
        AddRam(
            design, rams, new Ram("rom", 40, 16, [.. Enumerable.Range(0, 16).Select(i => (UInt128)(i % 3) * 77)]), read,
            Bit(1));
        AddRam(
            design, rams, new Ram("bits_ram", 1, 2) { Write = new RamWrite(Bit(0), Bit(1), Bit(2)) }, Bit(0), Bit(1));
        rams.Items.Add(new Ram("unread_ram", 8, 4)
        {
            Write = new RamWrite(new Operation(Opcode.Truncate, 2, write), new Constant(8, 2), Bit(0)),
        });
        design.Sections.Add(rams);

        late.Next = new Operation(Opcode.Select, 40, Bit(1), lateWire, late);
        var last = new Section("What earlier sections use");
        last.Items.AddRange([late, lateWire]);
        design.Sections.Add(last);
        design.Outputs.Add(new OutputPort("wide", [.. kinds, late]));
        return design;
    }

    private static void AddRam(Design design, Section section, Ram ram, Value address, Value enable)
    {
        var now = new RamRead($"{ram.Name}_now", ram, address, isRegistered: false);
        var next = new RamRead($"{ram.Name}_next", ram, address, isRegistered: true);
        var kept = new RamRead($"{ram.Name}_kept", ram, address, isRegistered: true, enable);
        var word = new Flop($"{ram.Name}_word_reg", ram.Width, 0) { Next = now };
        section.Items.AddRange([ram, now, next, kept, word]);
        design.Outputs.Add(new OutputPort($"{ram.Name}_words", word, next, kept));
    }
}
