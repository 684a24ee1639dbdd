using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation.Tests;

/// <summary>Short words for the designs of these tests.</summary>
internal static class Rtl
{
    public static Constant Number(int width, UInt128 bits) => new(width, bits);

    public static Operation Add(Value a, Value b) => new(Opcode.Add, a.Width, a, b);

    public static Operation Subtract(Value a, Value b) => new(Opcode.Subtract, a.Width, a, b);

    public static Operation And(Value a, Value b) => new(Opcode.And, a.Width, a, b);

    public static Operation Or(Value a, Value b) => new(Opcode.Or, a.Width, a, b);

    public static Operation Not(Value a) => new(Opcode.Xor, a.Width, a, new Constant(a.Width, UInt128.MaxValue));

    public static Operation Equal(Value a, Value b) => new(Opcode.Equal, 1, a, b);

    public static Operation Select(Value condition, Value whenOne, Value whenZero) =>
        new(Opcode.Select, whenOne.Width, condition, whenOne, whenZero);

    public static Operation Extract(Value a, int low, int width) => new(Opcode.Extract, width, a) { Low = low };

    public static Design Of(
        string name,
        IEnumerable<InputPort> inputs,
        IEnumerable<OutputPort> outputs,
        params IEnumerable<IDesignItem> items)
    {
        var design = new Design(name);
        design.Inputs.AddRange(inputs);
        design.Outputs.AddRange(outputs);
        var section = new Section("all of it");
        section.Items.AddRange(items);
        design.Sections.Add(section);
        return design;
    }

    /// <summary>A flop that is given its next value at once.</summary>
    public static Flop Set(this Flop flop, Value next, Value? enable = null)
    {
        flop.Next = next;
        flop.Enable = enable;
        return flop;
    }

    public static InputBits All(this InputPort port) => new(port, 0, port.Width);
}
