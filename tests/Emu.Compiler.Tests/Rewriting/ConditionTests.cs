using Emu.Compiler.IR;

namespace Emu.Compiler.Tests;

/// <summary>Conditions beside choices that a part of them decides.</summary>
public sealed class ConditionTests
{
    private readonly EvaluatingBuilder _builder = new(4);

    /// <summary>(w | z) &amp; (w ? x : y): the late w chooses, and all else is known before.</summary>
    [Fact]
    public void A_condition_goes_into_the_side_on_which_it_says_something()
    {
        var (w, x, y, z) = (_builder.Inputs[0], _builder.Inputs[1], _builder.Inputs[2], _builder.Inputs[3]);
        var both = (Operation)_builder.And(_builder.Or(w, z), _builder.Select(w, x, y));
        Assert.Equal(Opcode.Select, both.Opcode);
        Assert.Equal([w, x], both.Operands.Take(2));
        Assert.Equal((Opcode.And, y, z), Gate(both.Operands[2]));
        var neither = (Operation)_builder.Or(
            _builder.Not(_builder.Or(w, z)), _builder.Not(_builder.Select(w, x, y)));
        Assert.Equal(Opcode.Select, ((Operation)neither.Operands[0]).Opcode);
    }

    /// <summary>Every form of it, with the parts in either order, inverted or not.</summary>
    [Fact]
    public void Every_form_says_what_it_said()
    {
        var (w, x, y, z) = (_builder.Inputs[0], _builder.Inputs[1], _builder.Inputs[2], _builder.Inputs[3]);
        for (var form = 0; form < 64; form++)
        {
            Value Signed(Value value, int bit) => (form >> bit & 1) != 0 ? _builder.Not(value) : value;
            Value Joined(Value a, Value b, int bit) => (form >> bit & 1) != 0 ? _builder.And(a, b) : _builder.Or(a, b);
            var own = Signed(Joined(Signed(w, 0), z, 1), 2);
            var choice = Signed(_builder.Select(Signed(w, 3), x, y), 2);
            var whole = (form >> 4 & 1) != 0 ? Joined(own, choice, 5) : Joined(choice, own, 5);
            for (var numbers = 0; numbers < 16; numbers++)
            {
                _builder.Number = numbers;
                var (a, b) = (_builder.Evaluate(own), _builder.Evaluate(choice));
                Assert.Equal((form >> 5 & 1) != 0 ? a & b : a | b, _builder.Evaluate(whole));
            }
        }
    }

    private static (Opcode, Value, Value) Gate(Value value) =>
        value is Operation { Opcode: var opcode, Operands: [var one, var other] }
            ? (opcode, one, other)
            : throw new InvalidOperationException("no gate");
}
