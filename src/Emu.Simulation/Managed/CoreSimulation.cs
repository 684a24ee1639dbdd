using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation;

/// <summary>
/// A core in a simulation: its calls are made by its C#, and their results are there when the module would have them.
/// </summary>
/// <param name="instance">The core in the circuit.</param>
internal sealed class CoreSimulation(CoreInstance instance)
{
    private readonly ICoreModel _model = instance.Core.NewModel();
    private readonly Queue<(ulong Cycle, UInt128 Results)> _onTheWay = new();

    /// <summary>The outputs behind the edge of a cycle.</summary>
    /// <param name="cycle">The number of the cycle.</param>
    /// <param name="clears">True if the module is in reset.</param>
    /// <param name="isCalled">True if there is a call.</param>
    /// <param name="operands">The operands of the call.</param>
    public UInt128 Edge(ulong cycle, bool clears, bool isCalled, IReadOnlyList<UInt128> operands)
    {
        if (clears)
        {
            _model.Reset();
            _onTheWay.Clear();
            return 0;
        }
        if (isCalled) _onTheWay.Enqueue((cycle + (ulong)_model.CyclesOf(operands), _model.Call(operands)));
        if (!_onTheWay.TryPeek(out var next) || next.Cycle != cycle + 1) return 0;
        _onTheWay.Dequeue();
        var done = instance.Core.HasHandshake ? UInt128.One << instance.Core.Width : 0;
        return next.Results | done;
    }
}
