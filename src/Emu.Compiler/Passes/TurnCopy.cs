using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>A turn of a fold, made of given values.</summary>
internal sealed class TurnCopy
{
    private readonly Dictionary<Value, Value> _values = new(ReferenceEqualityComparer.Instance);

    /// <summary>Makes it.</summary>
    /// <param name="n">Makes its operations.</param>
    /// <param name="fold">The fold.</param>
    /// <param name="parameters">A value for each parameter of a turn, in their order.</param>
    public TurnCopy(FoldingBuilder n, FrameFold fold, IEnumerable<Value> parameters)
    {
        foreach (var (phi, value) in fold.Body.Phis.Zip(parameters)) _values[phi] = value;
        foreach (var operation in fold.Body.Operations)
        {
            n.Location = operation.Location;
            _values[operation] = n.Make(
                new Operation(operation.Opcode, operation.Width, operation.Operands.Select(Of))
                {
                    Low = operation.Low,
                    Location = operation.Location,
                });
        }
        n.Location = null;
        IsLeft = Of(fold.Turn.IsLeft);
        Found = [.. fold.FoundValues.Select(Of)];
        Next = [.. fold.NextState.Select(Of)];
    }

    /// <summary>1 if the turn leaves the loop.</summary>
    public Value IsLeft { get; }

    /// <summary>The values that it has found, which count if it leaves.</summary>
    public IReadOnlyList<Value> Found { get; }

    /// <summary>The state for the next turn, which counts if it does not.</summary>
    public IReadOnlyList<Value> Next { get; }

    private Value Of(Value value) => value is Constant ? value : _values[value];
}
