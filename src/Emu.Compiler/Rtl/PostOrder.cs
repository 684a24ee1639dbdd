using Emu.Compiler.IR;

namespace Emu.Compiler.Rtl;

/// <summary>
/// Visits values, operands first, each once, without recursion: expressions may be thousands of operations deep.
/// </summary>
/// <param name="isLeaf">True for a value that is not visited.</param>
/// <param name="operands">Gives the values to visit before a value.</param>
/// <param name="enter">Called before its operands are visited.</param>
/// <param name="leave">Called after them.</param>
internal sealed class PostOrder(
    Predicate<Value> isLeaf, Func<Value, IReadOnlyList<Value>> operands, Action<Value> enter, Action<Value> leave)
{
    private readonly NodeTable<Value, bool> _isDone = new();
    private readonly Stack<(Value Value, IReadOnlyList<Value> Operands, int Next)> _open = new();

    /// <exception cref="InvalidOperationException">A value depends on itself without a flop between.</exception>
    public void Visit(Value root)
    {
        Open(root);
        while (_open.TryPop(out var top))
        {
            if (top.Next < top.Operands.Count)
            {
                _open.Push(top with { Next = top.Next + 1 });
                Open(top.Operands[top.Next]);
                continue;
            }
            leave(top.Value);
            _isDone[top.Value] = true;
        }
    }

    private void Open(Value value)
    {
        if (isLeaf(value)) return;
        if (_isDone.TryGetValue(value, out var isDone))
        {
            if (!isDone) throw new InvalidOperationException($"{Describe(value)} depends on itself in the same cycle");
            return;
        }
        _isDone[value] = false;
        enter(value);
        _open.Push((value, operands(value), 0));
    }

    private static string Describe(Value value) => value switch
    {
        IDesignItem item => item.Name,
        Operation operation => $"an operation {operation.Opcode}",
        _ => "a value",
    };
}
