using Emu.Compiler.Devices;
using Emu.Compiler.IR;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Delays;

/// <summary>A circuit of one kind of cell path between flops, and the cells that the compiler takes it for.</summary>
/// <param name="Name">What it computes.</param>
/// <param name="Design">The circuit.</param>
/// <param name="Path">Its cells.</param>
internal sealed record Sample(string Name, Design Design, CellPath Path)
{
    /// <summary>All samples for a device.</summary>
    public static IEnumerable<Sample> For(Device device) =>
    [
        Wire(),
        .. new[] { 6, 36, 128 }.Select(w => OfOperation(device, Opcode.Equal, 1, w, 0)),
        .. new[] { 3, 18 }.Select(w => OfOperation(device, Opcode.Equal, 1, w, w)),
        .. new[] { 8, 16, 32, 64 }.Select(w => OfOperation(device, Opcode.Add, w, w, w)),
        OfOperation(device, Opcode.Subtract, 32, 32, 32),
        .. new[] { 32, 48 }.Select(w => OfOperation(device, Opcode.Equal, 1, w, w)),
        .. new[] { 16, 64 }.Select(w => OfOperation(device, Opcode.LessUnsigned, 1, w, w)),
        .. new[] { 16, 32, 51 }.Select(w => OfOperation(device, Opcode.Multiply, w, w, w)),
        .. new[] { 32, 64 }.Select(words => OfRam(device, words)),
    ];

    private static Sample Wire()
    {
        var parts = new Parts("wire");
        return new Sample("from flop to flop", parts.Around(parts.Register(1)), default);
    }

    /// <summary>An operation on flops; an operand of no width is a constant.</summary>
    private static Sample OfOperation(Device device, Opcode opcode, int width, params int[] operands)
    {
        var parts = new Parts("sample");
        var number = new Constant(operands[0], 0x5A5A5A5A & Arithmetic.Mask(operands[0]));
        var operation = new Operation(
            opcode, width, operands.Select(bits => bits > 0 ? parts.Register(bits) : (Value)number));
        var path = OperatorTable.Of(opcode).Path(operation, device);
        // Flops at a multiplier would go into its block.
        var isMultiplier = path.Multipliers > 0;
        var measured = isMultiplier ? new Operation(Opcode.Xor, width, operation, parts.Register(width)) : operation;
        var design = parts.Around(measured);
        return new Sample(NameOf(opcode, operands), design, isMultiplier ? path with { Luts = path.Luts + 1 } : path);
    }

    private static string NameOf(Opcode opcode, int[] operands) =>
        $"{opcode} of {string.Join(" and ", operands.Select(bits => bits > 0 ? $"{bits} bits" : "a constant"))}";

    private static Sample OfRam(Device device, int words)
    {
        const int Width = 18;
        var parts = new Parts("sample");
        var ram = new Ram("words", Width, words);
        var bits = ram.AddressWidth;
        ram.Write = new RamWrite(parts.Register(bits), parts.Register(Width), parts.Register(1));
        var read = new RamRead("word", ram, parts.Register(bits), isRegistered: false);
        parts.Items.AddRange([ram, read]);
        return new Sample($"RAM in LUTs of {words} words", parts.Around(read), LogicLevels.Of(read, device));
    }

    /// <summary>Flops around what is measured, fed by pins and shown at pins.</summary>
    private sealed class Parts(string name)
    {
        private readonly Design _design = new(name);

        public List<IDesignItem> Items { get; } = [];

        public Flop Register(int width)
        {
            var port = new InputPort($"in_{_design.Inputs.Count}", width);
            _design.Inputs.Add(port);
            var flop = new Flop($"from_{Items.Count}_reg", width, null) { Next = new InputBits(port, 0, width) };
            Items.Add(flop);
            _design.Outputs.Add(new OutputPort($"out_{Items.Count}", flop));
            return flop;
        }

        public Design Around(Value measured)
        {
            var result = new Flop("to_reg", measured.Width, null) { Next = measured };
            Items.Add(result);
            var section = new Section("sample");
            section.Items.AddRange(Items);
            _design.Sections.Add(section);
            _design.Outputs.Add(new OutputPort("out", result));
            return _design;
        }
    }
}
