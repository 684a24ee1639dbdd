using Emu.Compiler.IR;

namespace Emu.Compiler.Clocked;

/// <summary>
/// The values of a thread that have one register: some that no state keeps both of (register coalescing, Chaitin and
/// others 1981).
/// </summary>
/// <remarks>
/// <para>A register costs choices at its input, not flops, so values share one only where that makes choices or
/// logic fewer:</para>
/// <list type="bullet">
/// <item>those that are joined by phis: what goes on unchanged then stays where it is;</item>
/// <item>those that the same C# computes or uses, of a method that is called at several places: with the same
/// registers, the same C# is the same logic, and is there once;</item>
/// <item>those of one variable of C#, such as the counter of several loops, which do much the same with it.</item>
/// </list>
/// </remarks>
internal sealed class RegisterCoalescing
{
    private readonly Dictionary<Value, List<Value>> _classes = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Value, HashSet<Value>> _rivals = new(ReferenceEqualityComparer.Instance);

    private RegisterCoalescing(IEnumerable<IReadOnlyList<Value>> states)
    {
        foreach (var kept in states)
        {
            foreach (var value in kept)
            {
                if (!_classes.ContainsKey(value))
                    (_classes[value], _rivals[value]) = ([value], new(ReferenceEqualityComparer.Instance));
                _rivals[value].UnionWith(kept);
            }
        }
        foreach (var (value, rivals) in _rivals) rivals.Remove(value);
    }

    /// <summary>The values that share a register, by each of them.</summary>
    /// <param name="body">What the thread runs.</param>
    /// <param name="states">The values that live at the start of each state.</param>
    public static IReadOnlyDictionary<Value, List<Value>> Classes(
        Function body, IEnumerable<IReadOnlyList<Value>> states)
    {
        var coalescing = new RegisterCoalescing(states);
        List<Value> kept = [.. coalescing._classes.Keys];
        foreach (var phi in kept.OfType<Phi>()) coalescing.Join(phi, phi.Operands, [phi]);
        coalescing.JoinAlike(kept.Select(value => (value, Origin(value))));
        var uses = new Uses(body);
        coalescing.JoinAlike(kept.Select(value => (value, uses.First(value))));
        coalescing.JoinAlike(kept.Select(value => (value, Variable(value))));
        return coalescing._classes;
    }

    /// <summary>Joins a phi with the kept values that come to it, by way of others that are not kept too.</summary>
    private void Join(Phi phi, IEnumerable<Value> operands, HashSet<Phi> passed)
    {
        foreach (var operand in operands)
        {
            if (_classes.ContainsKey(operand)) TryJoin(phi, operand);
            else if (operand is Phi other && passed.Add(other)) Join(phi, other.Operands, passed);
        }
    }

    /// <summary>Joins values that have the same place in C#, each with the first of these that it can.</summary>
    private void JoinAlike(IEnumerable<(Value Value, object? Place)> values)
    {
        foreach (var alike in values.Where(value => value.Place is not null).GroupBy(value => value.Place))
        {
            var first = new List<Value>();
            foreach (var (value, _) in alike)
                if (!first.Exists(other => TryJoin(other, value))) first.Add(value);
        }
    }

    /// <summary>Gives two values one register; false if a state keeps both, or two that share theirs.</summary>
    private bool TryJoin(Value one, Value other)
    {
        var (mine, others) = (_classes[one], _classes[other]);
        if (mine == others) return true;
        if (one.Width != other.Width || mine.Exists(value => others.Exists(_rivals[value].Contains))) return false;
        mine.AddRange(others);
        foreach (var value in others) _classes[value] = mine;
        return true;
    }

    /// <summary>The line of C# that computes a value, whoever called its method; null where it is not known.</summary>
    private static object? Origin(Value value) => value switch
    {
        Operation { Location: { Line: > 0 } at } operation =>
            (operation.Opcode, operation.Width, at.Method, at.Line, at.Name),
        Phi phi => phi.Operands.OfType<Operation>().Select(Origin).FirstOrDefault(origin => origin is not null) is { }
            known ? (phi.Width, known) : null,
        _ => null,
    };

    /// <summary>The variable of C# that a value is put into; null where it is not known.</summary>
    private static object? Variable(Value value) => value switch
    {
        Operation { Location: { Name: not null } at } operation => (operation.Width, at.Method, at.Name),
        Phi phi => phi.Operands.OfType<Operation>().Select(Variable).FirstOrDefault(known => known is not null),
        _ => null,
    };

    /// <summary>The operations that use values.</summary>
    private sealed class Uses
    {
        private readonly Dictionary<Value, object> _first = new(ReferenceEqualityComparer.Instance);

        public Uses(Function body)
        {
            foreach (var operation in body.Blocks().SelectMany(block => block.Operations))
            {
                if (operation.Location is not { Line: > 0 } at) continue;
                for (var i = 0; i < operation.Operands.Count; i++)
                {
                    var operand = operation.Operands[i];
                    if (operand is Constant) continue;
                    _first.TryAdd(operand, (operation.Opcode, operand.Width, i, at.Method, at.Line, at.Name));
                }
            }
        }

        /// <summary>The place in C# of the first use of a value; null for none that is known.</summary>
        public object? First(Value value) => _first.GetValueOrDefault(value);
    }
}
