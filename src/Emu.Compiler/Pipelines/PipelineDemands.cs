using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Pipelines;

/// <summary>The demands of a service on a pipeline, and those of every pipeline on a service.</summary>
/// <param name="compilation">The service, through the passes and split.</param>
/// <param name="lanes">The bytes of a beat of the bus.</param>
internal sealed class PipelineDemands(Compilation compilation, int lanes)
{
    /// <summary>The function of the frames that the pipeline serves.</summary>
    public Function Function => compilation.Fast!;

    /// <summary>The number by which the service divides the time; null if it does not.</summary>
    public ulong? Divisor { get; } = TimeDivision.Divisors([compilation.Fast!]) is [var divisor, ..] ? divisor : null;

    /// <summary>
    /// True if a deferred frame holds back those that follow: it may change state that they use.
    /// </summary>
    public bool HoldsFollowers => compilation.Slow is not null && compilation.PartsShareState;

    /// <summary>True if a deferred frame has none that follow, since the door is closed in time.</summary>
    public bool DefersAlone => compilation.IsDeferredAlone;

    /// <summary>
    /// The bytes of the frame that the service looks at, and its EtherType, on which the longest length depends.
    /// </summary>
    public int WindowBytes
    {
        get
        {
            var operations = OperationsOf([Function]).ToList();
            var (shifts, leaving) = FrameShift.Of(Function);
            var isComputed = leaving.Any(shift => shift.Computed is not null);
            // Bytes that are moved to the front may be read there, or put in.
            var moved = shifts.Select(shift => shift.Forwards).Append(0).Max();
            var putIn = leaving.SelectMany(shift => (isComputed ? shift.PutInBehindHead() : shift.PutIn(lanes))
                .Select(shift.Origin)).Append(-1).Max() + 1;
            return Math.Max(
                putIn, operations.Select(EndOf).Append(SummedEnd()).Append(VlanTag.TypeOffset + 2).Max() + moved);
        }
    }

    /// <summary>
    /// Behind the bytes that checksums of a length that is computed take as they have been written, in whole words:
    /// all others among them they take as well, as they came.
    /// </summary>
    private int SummedEnd()
    {
        var writtenEnd = OperationsOf([Function])
            .Where(o => o is { Opcode: Opcode.FrameWrite, Operands: [Constant, _] })
            .Select(o => ConstantOf(o, 0) + o.Operands[1].Width / 8).Append(0).Max();
        return SumsOfWritten()
            .Select(sum => ConstantOf(sum, 0) + Checksums.WordsUpTo(writtenEnd - ConstantOf(sum, 0))
                // The header's last beat has the first byte of a loop.
                + (LateSums.IsLate(sum) ? 1 : 0))
            .Append(0).Max();
    }

    /// <summary>
    /// The checksums of a length that is computed, in front of which the frame may have been written.
    /// </summary>
    private IEnumerable<Operation> SumsOfWritten()
    {
        var before = new WrittenState(Function);
        foreach (var block in Function.Blocks())
        {
            var written = before.AtStart(block);
            foreach (var operation in block.Operations)
            {
                if (operation.Opcode == Opcode.FrameSum && operation.Operands[1] is not Constant
                    && !written.IsFirst(operation))
                    yield return operation;
                written.Note(operation);
            }
        }
    }

    /// <summary>
    /// The reason for which there is no pipeline whose frames enter so soon; null if none is known yet.
    /// </summary>
    public PipelineObstacle? Obstacle(int interval)
    {
        if (compilation.Tick is not null && compilation.Interrupt is not null)
            return new PipelineObstacle("periodic work runs between frames, and events wait for frames", null);
        var exits = Function.Blocks().Select(b => b.Terminator).OfType<SideExit>().ToList();
        if (exits.Count > 0 && !Function.Blocks().Exists(PathDivision.Leaves))
        {
            var exit = SideExits.Cause(exits);
            return new PipelineObstacle(exit.Reason, exit.Location);
        }
        return Divisor is null ? null : ObstacleOfDivision(interval);
    }

    private PipelineObstacle? ObstacleOfDivision(int interval)
    {
        if (interval > PipelineDesign.TimeStage) return null;
        var division = OperationsOf([Function]).First(TimeDivision.Is);
        return new PipelineObstacle(
            "the time is divided, and a frame that waits for the quotient has no room behind it", division.Location)
        {
            IsRecurrence = true,
        };
    }

    private static IEnumerable<Operation> OperationsOf(IEnumerable<Function> functions) =>
        functions.SelectMany(f => f.Blocks()).SelectMany(b => b.Operations);

    private static int ConstantOf(Operation operation, int operand) =>
        (int)((Constant)operation.Operands[operand]).Bits;

    private static int EndOf(Operation operation) => operation.Opcode switch
    {
        Opcode.FrameRead => ConstantOf(operation, 0) + operation.Width / 8,
        Opcode.FrameSum when operation.Operands[1] is Constant => ConstantOf(operation, 0) + ConstantOf(operation, 1),
        // Only the header's last beat may begin before the bytes that are summed as they pass.
        Opcode.FrameSum => ConstantOf(operation, 0) + 1,
        // All turns that the header's last beat has no byte for have bytes behind it.
        Opcode.FrameFold or Opcode.FrameMap => ConstantOf(operation, 0) + operation.Fold!.Bytes,
        _ => 0,
    };
}
