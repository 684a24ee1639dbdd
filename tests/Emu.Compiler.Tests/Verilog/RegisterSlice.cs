using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Tests.Verilog;

/// <summary>A skid buffer of two places, counting what went through it.</summary>
internal static class RegisterSlice
{
    public static Design Build()
    {
        var design = new Design("register_slice")
        {
            Description =
            [
                "Register slice: one word a cycle, one cycle of delay",
                "",
                "No path from out_ready to in_ready: the spare place takes the word that is on its way.",
            ],
        };
        var data = Input(design, "in_data", 32);
        var valid = Input(design, "in_valid", 1);
        var ready = Input(design, "out_ready", 1);
        var size = Input(design, "in_size", 16);

        var outValid = new Flop("out_valid_reg", 1, 0);
        var outData = new Flop("out_data_reg", 32, null) { Comment = "the word that is shown" };
        var spareValid = new Flop("spare_valid_reg", 1, 0);
        var spareData = new Flop("spare_data_reg", 32, null) { Comment = "the word that came when there was no room" };
        var words = new Flop("words_reg", 16, 0) { Comment = "counters.Words" };
        var bytes = new Flop("bytes_reg", 32, 0) { Comment = "counters.Bytes" };
        var kind = new Flop("kind_reg", 2, 0);

        var take = new Wire("take", Or(ready, Not(outValid))) { Comment = "what is shown is taken, or nothing is" };
        var some = Or(spareValid, valid);
        outValid.Next = some;
        outValid.Enable = take;
        outData.Next = new Operation(Opcode.Select, 32, spareValid, spareData, data);
        outData.Enable = take;
        spareValid.Next = And(Not(take), some);
        spareData.Next = data;
        spareData.Enable = Not(spareValid);

        var slice = new Section("Two places");
        slice.Items.AddRange([outValid, outData, spareValid, spareData, take]);
        design.Sections.Add(slice);

        var enters = new Wire("enters", And(valid, Not(spareValid)));
        words.Next = new Operation(Opcode.Add, 16, words, new Constant(16, 1));
        words.Enable = enters;
        var length = new Operation(Opcode.ZeroExtend, 32, new Operation(Opcode.Extract, 12, size));
        bytes.Next = new Operation(Opcode.Add, 32, bytes, length);
        bytes.Enable = enters;
        kind.Next = Choose(2, (Is(data, 0, 0x0800), 1), (Is(data, 0, 0x86DD), 2), (Is(data, 16, 0x0806), 3));
        var counters = new Section("Counters");
        counters.Items.AddRange([enters, words, bytes, kind]);
        design.Sections.Add(counters);

        design.Outputs.AddRange([
            new OutputPort("in_ready", Not(spareValid)),
            new OutputPort("out_valid", outValid),
            new OutputPort("out_data", outData),
        ]);
        design.Outputs.Add(new OutputPort("counters", words, bytes, kind));
        return design;
    }

    private static InputBits Input(Design design, string name, int width)
    {
        design.Inputs.Add(new InputPort(name, width));
        return new InputBits(design.Inputs[^1], 0, width);
    }

    private static Operation Is(Value value, int low, int number) =>
        new(Opcode.Equal, 1, new Operation(Opcode.Extract, 16, value) { Low = low }, new Constant(16, (UInt128)number));

    private static Value Choose(int width, params (Value Condition, int Number)[] choices) =>
        choices.Reverse().Aggregate(
            (Value)new Constant(width, 0),
            (rest, choice) => new Operation(
                Opcode.Select, width, choice.Condition, new Constant(width, (UInt128)choice.Number), rest));

    private static Operation Not(Value value) => new(Opcode.Xor, 1, value, new Constant(1, 1));

    private static Operation And(Value a, Value b) => new(Opcode.And, 1, a, b);

    private static Operation Or(Value a, Value b) => new(Opcode.Or, 1, a, b);
}
