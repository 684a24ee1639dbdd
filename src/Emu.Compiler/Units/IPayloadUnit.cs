using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>A unit that computes something of all bytes of a frame while its beats pass, a beat a cycle.</summary>
internal interface IPayloadUnit
{
    /// <summary>Stands for the result.</summary>
    Wire Total { get; }

    /// <summary>The values that it needs of the header.</summary>
    IReadOnlyList<Value> Operands { get; }

    /// <summary>The stages from the one in which beats are masked to the one in which the result is there.</summary>
    int Latency { get; }

    /// <summary>The first stage in which beats can be masked, given when the values of the header are there.</summary>
    int MaskStage(Func<Value, int> stageOf);

    /// <summary>Makes it.</summary>
    /// <param name="maskStage">The stage in which beats are masked.</param>
    /// <param name="valueIn">Gives values of the header in a stage.</param>
    /// <param name="passes">1 when a frame passes a stage, in which its values are.</param>
    /// <param name="queue">The frames that wait for the result; null if there is no such queue.</param>
    /// <returns>The result, <see cref="Latency"/> stages later, or as the frame is issued.</returns>
    Value Build(int maskStage, Func<Value, int, Value> valueIn, Func<int, Value> passes, IssueQueue? queue);
}
