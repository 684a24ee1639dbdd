using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Pipelines;

internal sealed partial class Pipeline
{
    /// <summary>The stages' work, as it is in the circuit.</summary>
    private List<CircuitStep> Steps(StaticTiming timing) =>
        [.. _valid.Select((valid, stage) => new CircuitStep(
            $"stage {stage}",
            _schedule.Done(stage),
            [.. _dataflow.Accesses.Where(access => StageOf(access) == stage)],
            stage + 1 < _valid.Count ? [stage + 1] : [],
            _schedule.Made(stage).Select(timing.LevelsOf).Append(0).Max(),
            _schedule.Made(stage).Select(timing.PicosecondsOf).Append(0).Max(),
            valid))];

    /// <summary>
    /// Puts over each stage the lines of C# whose operations stand there: those that make its registers, and over the
    /// last stage also what is made of them.
    /// </summary>
    private void Head()
    {
        for (var stage = 0; stage < _sections.Count; stage++)
        {
            IReadOnlyList<Operation> own = stage == _sections.Count - 1 ? _schedule.Done(stage) : [];
            _sections[stage].Lines =
                SourceLines.Of(_schedule.Done(stage - 1).Concat(own).Select(operation => operation.Location));
        }
    }

    private int? StageOf(StateAccess access) => (access.Element, access.IsWrite) switch
    {
        (Memory memory, true) => StageOfWrite(memory, _dataflow.Writes.Single(w => w.Memory == memory).Update),
        (Memory memory, false) =>
            _dataflow.Reads.Where(r => r.Memory == memory).Select(r => (int?)_schedule.StageOf(r.Word)).Max(),
        (Register register, false) => _registers.TryGetValue(register, out var read) ? _schedule.StageOf(read) : null,
        (Register register, true)
            when _dataflow.Updates.FirstOrDefault(u => u.Register == register) is { Update: { } update }
            => StageOfWrite(register, update),
        (Register register, true) => CountStage(_dataflow.Counts.Single(c => c.Register == register).Amount),
        _ => null,
    };
}
