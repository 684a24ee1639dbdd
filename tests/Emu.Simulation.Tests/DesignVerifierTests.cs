using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation.Tests;

/// <summary>A design that breaks an invariant is refused, and the message names what breaks it.</summary>
public sealed class DesignVerifierTests
{
    private static readonly InputPort s_in = new("in", 8);

    /// <summary>A design that is right, with one of everything, changed by <paramref name="change"/>.</summary>
    private static void Refused(string message, Func<Parts, IDesignItem?> change)
    {
        var parts = new Parts();
        DesignVerifier.Verify(parts.Design);
        if (change(parts) is { } item) parts.Items.Add(item);
        Assert.Equal(
            message, Assert.Throws<InvalidOperationException>(() => new ManagedSimulator(parts.Design)).Message);
    }

    private static void Refused(string message, Action<Parts> change) => Refused(message, parts =>
    {
        change(parts);
        return null;
    });

    [Fact]
    public void Names_differ_and_are_identifiers()
    {
        Refused("'in' is the name of two things", p => new Wire("in", p.Flop));
        Refused("'a_reg' is the name of two things", p => p.Flop);
        Refused("'axis_aclk' is the name of two things", p => new Wire("axis_aclk", p.Flop));
        Refused("'a b' is not an identifier of Verilog", p => new Wire("a b", p.Flop));
        Refused("'b' does not end in _reg", p => new Flop("b", 1, 0));
        Refused("'no_bits' has no bits", p => p.Design.Inputs.Add(new InputPort("no_bits", 0)));
        Refused("'nothing' has no bits", p => p.Design.Outputs.Add(new OutputPort("nothing")));
    }

    [Fact]
    public void Flops_take_what_fits()
    {
        Refused("'a_reg' has 8 bits, what it takes has 7", p => p.Flop.Next = Rtl.Number(7, 0));
        Refused("the enable of 'a_reg' has 8 bits", p => p.Flop.Enable = s_in.All());
        Refused("the reset value of 'c_reg' has more than 2 bits", _ => new Flop("c_reg", 2, 4));
    }

    [Fact]
    public void RAMs_have_the_widths_and_depths_that_they_say()
    {
        Refused("the address of 'read' has 8 bits, not 2", p => p.Read.Address = p.Flop);
        Refused("'read' has an enable but is not registered", p => p.Read.Enable = Rtl.Number(1, 1));
        Refused("the enable of 'registered' has 8 bits", p =>
            new RamRead("registered", p.Ram, Rtl.Number(2, 0), true, p.Flop));
        Refused(
            "the write address of 'ram' has 8 bits, not 2", p => p.Ram.Write = p.Ram.Write! with { Address = p.Flop });
        Refused("what is written to 'ram' has 1 bits, not 8", p =>
            p.Ram.Write = p.Ram.Write! with { Data = Rtl.Number(1, 0) });
        Refused("the write enable of 'ram' has 8 bits", p => p.Ram.Write = p.Ram.Write! with { Enable = p.Flop });
        Refused("'rom' has 3 words, not a power of two", _ => new Ram("rom", 8, 3));
        Refused("'rom' has words of 129 bits", _ => new Ram("rom", 129, 2));
        Refused("'rom' has 4 words but 1 initial ones", _ => new Ram("rom", 8, 4, [1]));
        Refused("an initial word of 'rom' has more than 8 bits", _ => new Ram("rom", 8, 2, [1, 256]));
    }

    [Fact]
    public void Values_are_items_and_pure()
    {
        Refused(
            "'lost_reg', which 'w' uses, is in no section", _ => new Wire("w", Rtl.Not(new Flop("lost_reg", 1, 0))));
        Refused("'lost', a read port of 'ram', is in no section", p =>
        {
            _ = new RamRead("lost", p.Ram, Rtl.Number(2, 0), false);
        });
        Refused("'other', which 'r' reads, is in no section", _ =>
            new RamRead("r", new Ram("other", 1, 2), Rtl.Number(1, 0), true));
        Refused(
            "'other', which 'w' uses, is no input of the design", _ => new Wire("w", new InputPort("other", 1).All()));
        Refused("'w' uses bits beyond the 8 of 'in'", _ => new Wire("w", new InputBits(s_in, 4, 5)));
        Refused("'w' uses Input, which is not pure", _ => new Wire("w", new Operation(Opcode.Input, 8)));
        Refused("'w' uses Add on operands of wrong widths", p =>
            new Wire("w", new Operation(Opcode.Add, 9, p.Flop, p.Flop)));
        Refused("'w' uses Extract on operands of wrong widths", p => new Wire("w", Rtl.Extract(p.Flop, 1, 8)));
        Refused("'w' uses a Phi, which is no value of a design", _ => new Wire("w", new Phi(3, new Block())));
    }

    [Fact]
    public void Nothing_depends_on_itself_within_a_cycle()
    {
        Refused("'read' depends on itself within a cycle", p =>
            p.Read.Address = Rtl.Extract(new Wire("loop", p.Read).In(p), 0, 2));
        Refused("an unnamed Add depends on itself within a cycle", p =>
        {
            var sum = Rtl.Add(p.Flop, p.Flop);
            sum.Operands[1] = sum;
            p.Flop.Next = sum;
        });
    }

    [Fact]
    public void No_output_depends_on_an_input_of_the_same_cycle()
    {
        Refused("output 'short' depends on input 'in' in the same cycle",
            p => p.Design.Outputs.Add(new OutputPort("short", p.Flop, Rtl.Add(p.Flop, s_in.All()))));
        Refused(
            "output 'out' depends on input 'in' in the same cycle", p => p.Read.Address = new InputBits(s_in, 0, 2));
    }

    [Fact]
    public void A_registered_read_is_no_path()
    {
        var parts = new Parts();
        var read = new RamRead("registered", parts.Ram, new InputBits(s_in, 0, 2), true).In(parts);
        parts.Design.Outputs.Add(new OutputPort("late", read));
        DesignVerifier.Verify(parts.Design);
    }

    internal sealed class Parts
    {
        public Parts()
        {
            Flop = new Flop("a_reg", 8, 0).Set(s_in.All());
            Ram = new Ram("ram", 8, 4) { Write = new RamWrite(Rtl.Number(2, 1), Flop, Rtl.Number(1, 1)) };
            Read = new RamRead("read", Ram, Rtl.Extract(Flop, 0, 2), false);
            Design = Rtl.Of("parts", [s_in], [new OutputPort("out", Flop, Read)], Flop, Ram, Read);
        }

        public Flop Flop { get; }

        public Ram Ram { get; }

        public RamRead Read { get; }

        public Design Design { get; }

        public List<IDesignItem> Items => Design.Sections[0].Items;
    }
}

file static class Adding
{
    public static T In<T>(this T item, DesignVerifierTests.Parts parts) where T : IDesignItem
    {
        parts.Items.Add(item);
        return item;
    }
}
