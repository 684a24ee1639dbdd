using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>The sum of what turns add to a part of the state (<see cref="FoldForms.AddendOf"/>).</summary>
/// <param name="n">The netlist in which it is made.</param>
/// <param name="forms">Takes the next state apart.</param>
/// <param name="state">Stands for the state in front of any turn.</param>
internal sealed class FoldSum(Netlist n, FoldForms forms, Wire state)
{
    private readonly List<(Opcode Operation, Value Addend, Value Counts)> _parts = [];

    /// <summary>The sum; null if nothing is added.</summary>
    public (Opcode Operation, Value Addend)? Total
    {
        get
        {
            if (_parts.Count == 0) return null;
            var operation = _parts[0].Operation;
            var nothing = FoldForms.Identity(operation, state.Width);
            var values = _parts.ConvertAll(part => n.Select(part.Counts, part.Addend, nothing));
            return (operation, FoldLanes.Tree(n, operation, values));
        }
    }

    /// <summary>Adds turns that were passed over.</summary>
    /// <param name="turns">Their number.</param>
    /// <param name="counts">True if there are any.</param>
    public void AddPassed(Value turns, Value counts) =>
        _parts.Add((Opcode.Add, n.Resize(turns, state.Width), counts));

    /// <summary>Adds what a turn adds.</summary>
    /// <param name="next">The state behind it.</param>
    /// <param name="counts">True if the turn counts.</param>
    public void Add(Value next, Value counts)
    {
        if (forms.AddendOf(next, state, state.Width) is (Opcode operation, { } addend))
            _parts.Add((operation, addend, counts));
    }
}
