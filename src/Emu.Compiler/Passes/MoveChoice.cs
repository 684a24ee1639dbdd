using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Makes of a move of the frame's bytes by one of a few distances, and of the change of its length in front of it or
/// behind it, a choice between moves by constants, each in a block of its own (polyvariant specialisation, Jones,
/// Gomard and Sestoft 1993).
/// </summary>
internal sealed class MoveChoice
{
    private readonly Block _block;
    private readonly List<Operation> _region;
    private readonly Value _root;
    private readonly List<UInt128> _numbers;
    private readonly Block _rest;
    private readonly Substitution _known;

    /// <summary>Cuts the block behind what is specialised.</summary>
    /// <param name="block">The block of the move.</param>
    /// <param name="index">The number of the move in it.</param>
    /// <param name="sets">The few constants that values can be.</param>
    /// <param name="known">Told what stands for the values that are computed between.</param>
    public MoveChoice(Block block, int index, ValueSets sets, Substitution known)
    {
        (_block, _known) = (block, known);
        _root = RootOf(block.Operations[index], sets)!;
        _numbers = [.. sets.Of(_root)!];
        var resize = block.Operations.FindIndex(index, o => o.Opcode == Opcode.FrameResize);
        _rest = Edges.Split(block, resize < 0 ? index + 1 : resize + 1);
        var start = StartOf(block, index);
        _region = block.Operations[start..];
        block.Operations.RemoveRange(start, _region.Count);
    }

    /// <summary>
    /// The number of the change of length by which there is room for a move; of the move if there is none.
    /// </summary>
    private static int StartOf(Block block, int move)
    {
        var before = block.Operations[..move].FindLastIndex(operation => operation.IsEffect);
        return before >= 0 && block.Operations[before].Opcode == Opcode.FrameResize ? before : move;
    }

    /// <summary>
    /// The value of few constants by which a move's offsets are decided; null if they are constant, or another value
    /// decides as well.
    /// </summary>
    public static Value? RootOf(Operation operation, ValueSets sets)
    {
        if (operation.Opcode != Opcode.FrameMove) return null;
        var roots = new HashSet<Value>(ReferenceEqualityComparer.Instance);
        foreach (var offset in operation.Operands.Take(2))
        {
            if (sets.Of(offset) is null) return null;
            AddRoots(offset, roots);
        }
        return roots.Count == 1 ? roots.Single() : null;
    }

    /// <summary>Makes the choice; gives the block in which what follows stands.</summary>
    public Block Choose()
    {
        var ways = new List<Dictionary<Value, Value>>();
        var at = _block;
        foreach (var number in _numbers)
        {
            var constant = new Constant(_root.Width, number);
            var way = new Block { Terminator = new Jump(_rest) };
            ways.Add(Specialise(way, constant));
            _rest.Predecessors.Add(way);
            way.Predecessors.Add(at);
            if (ways.Count == _numbers.Count)
            {
                at.Terminator = new Jump(way);
                break;
            }
            var isIt = new Operation(Opcode.Equal, 1, _root, constant) { Location = _region[0].Location };
            at.Operations.Add(isIt);
            var other = new Block();
            other.Predecessors.Add(at);
            at.Terminator = new Branch(isIt, way, other);
            at = other;
        }
        foreach (var operation in _region.Where(operation => !operation.IsEffect)) Join(operation, ways);
        return _rest;
    }

    private static void AddRoots(Value value, HashSet<Value> roots)
    {
        if (value is Constant) return;
        if (value is Operation { Opcode: not Opcode.Select } operation)
            foreach (var operand in operation.Operands) AddRoots(operand, roots);
        else roots.Add(value);
    }

    /// <summary>
    /// Does what is specialised with a constant in the place of what decides; gives what stands for what.
    /// </summary>
    private Dictionary<Value, Value> Specialise(Block way, Constant number)
    {
        var values = new Dictionary<Value, Value>(ReferenceEqualityComparer.Instance) { [_root] = number };
        if (_root is Phi root) AddSiblings(root, number, values);
        foreach (var operation in _region) values[operation] = Copy(operation, way, values);
        return values;
    }

    /// <summary>The phis beside one are known where they are the same on all ways on which it is the number.</summary>
    private static void AddSiblings(Phi root, Constant number, Dictionary<Value, Value> values)
    {
        var ways = Enumerable.Range(0, root.Operands.Count)
            .Where(way => Constant.Is(root.Operands[way], number.Bits)).ToList();
        foreach (var phi in root.Block.Phis)
        {
            if (ways.Count > 0 && ways.TrueForAll(way => Constant.AreSame(phi.Operands[way], phi.Operands[ways[0]]))
                && phi.Operands[ways[0]] is Constant known)
                values[phi] = known;
        }
    }

    private static Operation Copy(Operation operation, Block way, Dictionary<Value, Value> values)
    {
        var copy = new Operation(
            operation.Opcode, operation.Width, [.. operation.Operands.Select(operand => Of(operand, way, values))])
        {
            Input = operation.Input,
            Low = operation.Low,
            State = operation.State,
            Fold = operation.Fold,
            Text = operation.Text,
            Location = operation.Location,
        };
        way.Operations.Add(copy);
        return copy;
    }

    /// <summary>A value, computed again where it depends on what decides.</summary>
    private static Value Of(Value value, Block way, Dictionary<Value, Value> values)
    {
        if (values.TryGetValue(value, out var known)) return known;
        if (value is not Operation { IsEffect: false, ReadsState: false } operation) return value;
        List<Value> operands = [.. operation.Operands.Select(operand => Of(operand, way, values))];
        if (operands.SequenceEqual(operation.Operands)) return values[value] = value;
        var copy = new Operation(operation.Opcode, operation.Width, operands)
        {
            Low = operation.Low,
            Location = operation.Location,
        };
        if (Folding.TryFold(copy) is Constant constant) return values[value] = constant;
        way.Operations.Add(copy);
        return values[value] = copy;
    }

    private void Join(Operation operation, List<Dictionary<Value, Value>> ways)
    {
        var joined = new Phi(operation.Width, _rest);
        joined.Operands.AddRange(ways.Select(values => values[operation]));
        _rest.Phis.Add(joined);
        _known.Add(operation, joined);
    }
}
