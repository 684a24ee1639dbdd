using Emu.Compiler.IR;

namespace Emu.Compiler.Rtl;

/// <summary>Values of a design, each after all that it is computed of in the same cycle.</summary>
public sealed class CombinationalOrder
{
    private readonly List<Value> _values = [];

    // False while the operands of a value are being visited.
    private readonly NodeTable<Value, bool> _isDone = new();

    /// <summary>The values so far, each once.</summary>
    public IReadOnlyList<Value> Values => _values;

    /// <summary>
    /// The values that a value is computed from in the same cycle:
    /// none for constants, inputs, flops and registered read ports.
    /// </summary>
    public static IReadOnlyList<Value> Operands(Value value) => value switch
    {
        Operation operation => operation.Operands,
        Wire wire => [wire.Source],
        RamRead { IsRegistered: false } read => [read.Address],
        _ => [],
    };

    /// <summary>Appends a value, after what it depends on and is not there yet.</summary>
    /// <exception cref="InvalidOperationException">
    /// A combinational loop: a value depends on itself. The message names an item in it.
    /// </exception>
    public void Add(Value root)
    {
        // Depth first without recursion: expressions are deep.
        var path = new Stack<(Value Value, int Next)>();
        if (!_isDone.ContainsKey(root)) Open(root);
        while (path.TryPop(out var top))
        {
            var operands = Operands(top.Value);
            if (top.Next == operands.Count)
            {
                _isDone[top.Value] = true;
                _values.Add(top.Value);
                continue;
            }
            path.Push((top.Value, top.Next + 1));
            var operand = operands[top.Next];
            if (!_isDone.TryGetValue(operand, out var isDone)) Open(operand);
            else if (!isDone) throw Loop(path.Select(p => p.Value), operand);
        }

        void Open(Value value)
        {
            _isDone[value] = false;
            path.Push((value, 0));
        }
    }

    private static InvalidOperationException Loop(IEnumerable<Value> path, Value start)
    {
        var item = path.TakeWhile(v => v != start).Append(start).OfType<IDesignItem>().FirstOrDefault();
        return new(
            $"{(item is null ? $"an unnamed {((Operation)start).Opcode}" : $"'{item.Name}'")} depends on "
            + "itself within a cycle");
    }
}
