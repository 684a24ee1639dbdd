using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation.Tests.External;

/// <summary>Designs of random operations, shared and nested, with names and flops among them.</summary>
internal sealed class RandomExpressions(int seed)
{
    private static readonly int[] s_widths = [1, 1, 2, 7, 8, 16, 31, 32, 33, 48, 64, 65, 100, 128];

    private readonly Random _random = new(seed);
    private readonly List<Value> _values = [];
    private readonly Design _design = new($"random_{seed}") { Description = ["Random operations", "", $"Seed {seed}"] };

    public Design Build(int operations)
    {
        for (var i = 0; i < 6; i++)
            _design.Inputs.Add(new InputPort($"in_{i}", s_widths[_random.Next(s_widths.Length)]));
        foreach (var input in _design.Inputs) _values.Add(new InputBits(input, 0, input.Width));

        List<Flop> flops = [.. Enumerable.Range(0, 10).Select(i => NewFlop($"state_{i}_reg"))];
        _values.AddRange(flops);
        for (var section = 0; section < 4; section++)
        {
            _design.Sections.Add(new Section($"Part {section}"));
            _design.Sections[section].Items.AddRange(flops.Where((_, i) => i % 4 == section));
        }
        for (var i = 0; i < operations; i++)
        {
            _values.Add(Operation());
            if (i % 9 != 0) continue;
            var wire = new Wire($"wire_{i}", _values[^1]) { Comment = i % 27 == 0 ? "a name" : null };
            _design.Sections[_random.Next(4)].Items.Add(wire);
            _values.Add(wire);
        }
        foreach (var flop in flops)
        {
            flop.Next = Of(flop.Width);
            if (_random.Next(2) == 0) flop.Enable = Of(1);
            _design.Outputs.Add(new OutputPort(flop.Name[..^4], flop));
        }
        return _design;
    }

    private Flop NewFlop(string name)
    {
        var width = s_widths[_random.Next(s_widths.Length)];
        return new Flop(name, width, _random.Next(2) == 0 ? Numbers.Next(_random, width) : null);
    }

    // Mostly one of the last: deep rather than wide.
    private Value Any()
    {
        if (_random.Next(12) == 0) return NewConstant();
        return _values[_random.Next(3) == 0
            ? _random.Next(_values.Count)
            : Math.Max(0, _values.Count - 1 - _random.Next(8))];
    }

    private Constant NewConstant()
    {
        var width = s_widths[_random.Next(s_widths.Length)];
        return new Constant(width, Numbers.Next(_random, width));
    }

    private Value Of(int width)
    {
        var value = Any();
        if (value.Width == width) return value;
        if (value.Width > width)
            return new Operation(Opcode.Extract, width, value) { Low = _random.Next(value.Width - width + 1) };
        return new Operation(_random.Next(2) == 0 ? Opcode.ZeroExtend : Opcode.SignExtend, width, value);
    }

    private Operation Operation()
    {
        var width = s_widths[_random.Next(s_widths.Length)];
        // The sum of ones' complement and what follows it do not come in circuits.
        var opcode = (Opcode)_random.Next((int)Opcode.Add, (int)Opcode.OnesSum);
        switch (opcode)
        {
            case Opcode.DivideUnsigned or Opcode.RemainderUnsigned or Opcode.DivideSigned or Opcode.RemainderSigned:
                width = Math.Max(width, 2);
                return new Operation(opcode, width, Of(width), Divisor(width));
            case Opcode.ShiftLeft or Opcode.ShiftRight or Opcode.ShiftRightSigned:
                return new Operation(opcode, width, Of(width), Any());
            case Opcode.Equal or Opcode.LessUnsigned or Opcode.LessSigned:
                return new Operation(opcode, 1, Of(width), Of(width));
            case Opcode.ZeroExtend or Opcode.SignExtend:
                return new Operation(opcode, 128, Of(Math.Min(width, 127)));
            case Opcode.Truncate or Opcode.Extract:
                return new Operation(opcode, Math.Min(width, 100), Of(128))
                {
                    Low = opcode == Opcode.Extract ? _random.Next(29) : 0,
                };
            case Opcode.Concat:
                var low = Of(Math.Min(width, 64));
                var high = Of(1 + _random.Next(64));
                return new Operation(opcode, low.Width + high.Width, high, low);
            case Opcode.Select:
                return new Operation(opcode, width, Of(1), Of(width), Of(width));
            case Opcode.PopCount or Opcode.LeadingZeros or Opcode.TrailingZeros:
                return new Operation(opcode, _random.Next(2) == 0 ? 32 : 1 + _random.Next(9), Any());
            default:
                return new Operation(opcode, width, Of(width), Of(width));
        }
    }

    // Positive, so neither 0 nor -1.
    private Operation Divisor(int width) =>
        new(
            Opcode.Or,
            width,
            new Operation(Opcode.ShiftRight, width, Of(width), new Constant(8, 1)),
            new Constant(width, 1));
}
