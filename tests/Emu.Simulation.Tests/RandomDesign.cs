using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation.Tests;

/// <summary>
/// A design of random operations of all kinds and widths, in the order in which they were made: operands first.
/// </summary>
internal sealed class RandomDesign
{
    private static readonly int[] s_widths = [1, 1, 1, 2, 7, 8, 16, 31, 32, 33, 48, 63, 64, 65, 96, 100, 127, 128];

    private readonly bool _divides;
    private SplitMix64 _random;

    public RandomDesign(ulong seed, int operations, int flops = 40, bool divides = true)
    {
        _divides = divides;
        _random = new SplitMix64(seed);
        Wide = new InputPort("wide", 200);
        Narrow = new InputPort("narrow", 5);
        for (var i = 0; i < flops; i++)
            Flops.Add(new Flop($"f{i}_reg", Width(), Draw(3) == 0 ? null : (UInt128)Draw(2)));
        Values.AddRange(Flops);
        Values.Add(Narrow.All());
        for (var i = 0; i < 6; i++)
        {
            var width = Width();
            Values.Add(new InputBits(Wide, Draw(200 - width + 1), width));
        }
        for (var i = 0; i < 5; i++) AddRam(i);
        for (var i = 0; i < operations; i++) Add();
        foreach (var flop in Flops)
        {
            flop.Next = Value(flop.Width);
            if (Draw(2) == 0) flop.Enable = Value(1);
        }
        foreach (var ram in Rams) ram.Write = new RamWrite(Value(ram.AddressWidth), Value(ram.Width), Value(1));
        foreach (var read in Rams.SelectMany(r => r.Reads).Where(r => r.IsRegistered))
            (read.Address, read.Enable) = (Value(read.Ram.AddressWidth), Draw(2) == 0 ? null : Value(1));
        // Nothing is computed in vain, or it would not be compiled.
        var used = Values.SelectMany(CombinationalOrder.Operands).Concat(Flops.Select(f => f.Next)).ToHashSet();
        Flops.AddRange(Values.Where(v => v is not Flop && !used.Contains(v))
            .Select((v, i) => new Flop($"u{i}_reg", v.Width, null).Set(v)).ToList());
        Design = Rtl.Of(
            "random",
            [Wide, Narrow],
            [new OutputPort("all", [.. Flops]), new OutputPort("some", Rtl.Not(Flops[0]), Flops[1])],
            [.. Flops, .. Values.OfType<Wire>(), .. Rams, .. Rams.SelectMany(r => r.Reads)]);
    }

    public InputPort Wide { get; }

    public InputPort Narrow { get; }

    public List<Flop> Flops { get; } = [];

    public List<Ram> Rams { get; } = [];

    public List<Value> Values { get; } = [];

    public Design Design { get; }

    private void AddRam(int i)
    {
        var (width, depth) = (Width(), 2 << Draw(4));
        var ram = new Ram(
            $"m{i}", width, depth, Draw(2) == 0 ? null : [.. Enumerable.Range(0, depth).Select(_ => Number(width))]);
        Rams.Add(ram);
        Values.Add(new RamRead($"m{i}_block", ram, Rtl.Number(ram.AddressWidth, 0), isRegistered: true));
    }

    private void Add()
    {
        if (Draw(40) == 0)
        {
            var ram = Rams[Draw(Rams.Count)];
            Values.Add(new RamRead($"m{Values.Count}", ram, Value(ram.AddressWidth), isRegistered: false));
            return;
        }
        var opcode = (Opcode)Draw((int)Opcode.TrailingZeros + 1);
        var w = Width();
        Values.Add(opcode switch
        {
            >= Opcode.DivideUnsigned and <= Opcode.RemainderSigned when !_divides =>
                Of(Opcode.Select, w, Value(1), Value(w), Value(w)),
            Opcode.DivideUnsigned or Opcode.RemainderUnsigned =>
                Of(opcode, w, Value(w), Rtl.Or(Value(w), Rtl.Number(w, 1))),
            // Positive and not 0: neither of the quotients that are not defined.
            Opcode.DivideSigned or Opcode.RemainderSigned when w > 2 =>
                Of(
                    opcode,
                    w,
                    Value(w),
                    Rtl.And(Rtl.Or(Value(w), Rtl.Number(w, 1)), Rtl.Number(w, Arithmetic.Mask(w - 1)))),
            Opcode.DivideSigned or Opcode.RemainderSigned => new Wire($"w{Values.Count}", Value(w)),
            Opcode.ShiftLeft or Opcode.ShiftRight or Opcode.ShiftRightSigned => Of(opcode, w, Value(w), ShiftCount(w)),
            Opcode.Equal =>
                Of(opcode, 1, Value(w), Draw(2) == 0 ? Value(w) : Values[^1].Width == w ? Values[^1] : Value(w)),
            Opcode.LessUnsigned or Opcode.LessSigned => Of(opcode, 1, Value(w), Value(w)),
            Opcode.ZeroExtend or Opcode.SignExtend when w > 1 => Of(opcode, w, Value(1 + Draw(w - 1))),
            Opcode.Truncate when w < 128 => Of(opcode, w, Value(w + 1 + Draw(128 - w))),
            Opcode.Extract => RandomExtract(w),
            Opcode.Concat when w > 1 => RandomConcat(w),
            Opcode.Select => Of(opcode, w, Value(1), Value(w), Value(w)),
            Opcode.PopCount or Opcode.LeadingZeros or Opcode.TrailingZeros => Of(opcode, w, Value(Width())),
            Opcode.ZeroExtend or Opcode.SignExtend or Opcode.Truncate or Opcode.Concat =>
                Of(Opcode.Xor, w, Value(w), Value(w)),
            _ => Of(opcode, w, Value(w), Value(w)),
        });
    }

    private static Operation Of(Opcode opcode, int width, params Value[] operands) => new(opcode, width, operands);

    private Operation RandomExtract(int w)
    {
        var wider = w + Draw(128 - w + 1);
        return new Operation(Opcode.Extract, w, Value(wider)) { Low = Draw(wider - w + 1) };
    }

    private Operation RandomConcat(int w)
    {
        var high = 1 + Draw(w - 1);
        return Of(Opcode.Concat, w, Value(high), Value(w - high));
    }

    private Value ShiftCount(int w) => Draw(3) switch
    {
        0 => Rtl.Number(8, (UInt128)Draw(w + 3)),
        1 => Value(1 + Draw(8)),
        _ => Value(Width()),
    };

    /// <summary>A value of a width: a recent one if there is one, or a constant, or a cut or widened other.</summary>
    private Value Value(int width)
    {
        if (Draw(8) == 0) return Rtl.Number(width, Number(width));
        for (var tries = 0; tries < 12; tries++)
        {
            var candidate = Values[Draw(Values.Count)];
            if (candidate.Width == width) return candidate;
        }
        var other = Values[Draw(Values.Count)];
        if (other.Width == width) return other;
        var fitted = Of(
            other.Width > width ? Opcode.Truncate : Draw(2) == 0 ? Opcode.ZeroExtend : Opcode.SignExtend, width, other);
        Values.Add(fitted);
        return fitted;
    }

    private int Width() => Draw(4) == 0 ? 1 + Draw(128) : s_widths[Draw(s_widths.Length)];

    private int Draw(int below) => (int)(_random.Next() % (ulong)below);

    private UInt128 Number(int width) => Draw(4) switch
    {
        0 => 0,
        1 => Arithmetic.Mask(width),
        _ => new UInt128(_random.Next(), _random.Next()) & Arithmetic.Mask(width),
    };
}
