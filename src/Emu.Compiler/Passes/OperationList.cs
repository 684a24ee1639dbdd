using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>Makes operations that stand behind one another in one block, equal ones once.</summary>
/// <param name="operations">The block's operations, to which they are added.</param>
internal sealed class OperationList(List<Operation> operations) : FoldingBuilder
{
    private readonly Dictionary<OperationKey, Operation> _done = [];

    protected override Value Intern(Operation operation)
    {
        var key = new OperationKey(operation);
        if (_done.TryGetValue(key, out var known)) return known;
        operations.Add(operation);
        return _done[key] = operation;
    }
}
