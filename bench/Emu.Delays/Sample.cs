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
    /// <summary>The operations that are measured, with the bits of result and operands; none for a constant.</summary>
    private static readonly (Opcode Opcode, int Width, int[] Operands)[] s_operations =
    [
        (Opcode.Equal, 1, [6, 0]), (Opcode.Equal, 1, [36, 0]), (Opcode.Equal, 1, [128, 0]),
        (Opcode.Equal, 1, [3, 3]), (Opcode.Equal, 1, [18, 18]),
        (Opcode.Add, 8, [8, 8]), (Opcode.Add, 16, [16, 16]), (Opcode.Add, 32, [32, 32]), (Opcode.Add, 64, [64, 64]),
        (Opcode.Subtract, 32, [32, 32]),
        (Opcode.Equal, 1, [32, 32]), (Opcode.Equal, 1, [48, 48]),
        (Opcode.LessUnsigned, 1, [16, 16]), (Opcode.LessUnsigned, 1, [64, 64]),
        (Opcode.Multiply, 16, [16, 16]), (Opcode.Multiply, 32, [32, 32]), (Opcode.Multiply, 51, [51, 51]),
    ];

    /// <summary>All samples for a device.</summary>
    public static IEnumerable<Sample> For(Device device) =>
    [
        Wire(),
        .. s_operations.Select(o => OfOperation(device, o.Opcode, o.Width, o.Operands)),
        OfRam(device, 32), OfRam(device, 64),
    ];

    private static Sample Wire()
    {
        var parts = new Parts("wire");
        return new Sample("from flop to flop", parts.Around(parts.Register(1)), default);
    }

    /// <summary>An operation on flops; an operand of no width is a constant.</summary>
    private static Sample OfOperation(Device device, Opcode opcode, int width, int[] operands)
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
