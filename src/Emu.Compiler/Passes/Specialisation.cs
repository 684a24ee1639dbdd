namespace Emu.Compiler;

/// <summary>
/// Makes of a function one for a pipeline: without loops, with the frame accessed at constant offsets. What is not of that kind is left to another
/// (<see cref="Defer"/>): the rare case, such as a packet with options, of which it decides as early as it can.
/// </summary>
/// <remarks>
/// An offset that depends on a small field, such as a header's length, is taken at the field's least number that the checks before allow, which is the
/// header without options; all others are deferred. Then what follows is constant there.
/// </remarks>
internal sealed class Specialisation
{
    /// <summary>Bits of a field of which a function may be specialised for one number.</summary>
    private const int MaxFieldBits = 8;

    private readonly Compilation _compilation;
    private readonly Function _function;

    private Specialisation(Compilation compilation) => (_compilation, _function) = (compilation, compilation.Process);

    /// <summary>Specialises what a service does with a frame.</summary>
    /// <param name="compilation">The service, through the passes.</param>
    public static void Run(Compilation compilation)
    {
        var specialisation = new Specialisation(compilation);
        while (specialisation.TryFixField()) compilation.Optimise();
        specialisation.DeferLoops();
        Edges.ForgetUnreachable(compilation.Process);
        Simplification.Run(compilation.Process);
        specialisation.DeferAccesses();
        Edges.ForgetUnreachable(compilation.Process);
        specialisation.SplitDrops();
        specialisation.DeferWhatOnlyDrops();
        Edges.ForgetUnreachable(compilation.Process);
        compilation.Optimise();
    }

    /// <summary>Whether a way remains on which a frame may leave.</summary>
    public static bool CanForward(Function function) => function.Blocks().Exists(block => block.Terminator is Return end && !Constant.Is(end.Egress, 0));

    /// <summary>Fixes one field on which an offset depends.</summary>
    private bool TryFixField()
    {
        var facts = _compilation.FactsOf(_function);
        var dominators = new Dominators(_function);
        var blockOf = _function.Blocks().SelectMany(b => b.Operations.Select(o => (Block: b, Operation: o))).ToDictionary(e => e.Operation, e => e.Block);
        foreach (var block in _function.Blocks())
        {
            foreach (var access in block.Operations.Where(IsAtComputedOffset))
            {
                if (FieldOf(access.Operands[0]) is not { } field) continue;
                var least = facts.At(block, field).Min;
                var at = block;
                while (at != blockOf[field] && dominators.Immediate(at) is { } above && facts.At(above, field).Min == least) at = above;
                Guard(at, field, least, access.Location);
                return true;
            }
        }
        return false;
    }

    private static bool IsAtComputedOffset(Operation operation) =>
        operation.Opcode is Opcode.FrameRead or Opcode.FrameWrite or Opcode.FrameSum && operation.Operands[0] is not Constant;

    /// <summary>The small field of the frame that alone decides a value; null if it depends on more.</summary>
    private static Operation? FieldOf(Value value)
    {
        Operation? field = null;
        while (value is Operation { ReadsState: false } operation && operation.Operands.Where(o => o is not Constant).Distinct().ToList() is [var only])
        {
            if (operation.Opcode != Opcode.Input && operation.Width <= (field?.Width ?? MaxFieldBits)) field = operation;
            value = only;
        }
        return value is Operation { Opcode: Opcode.FrameRead } read ? read.Width <= (field?.Width - 1 ?? MaxFieldBits) ? read : field : null;
    }

    /// <summary>Leaves a block's end only with the number, and defers all others.</summary>
    private static void Guard(Block block, Operation field, UInt128 number, SourceLocation? location)
    {
        var rest = new Block { Terminator = block.Terminator };
        foreach (var successor in rest.Terminator!.Successors) successor.Predecessors[successor.Predecessors.IndexOf(block)] = rest;
        var deferred = new Block { Terminator = new Defer("a header is longer than its least: an offset depends on it", location) };
        var isIt = new Operation(Opcode.Equal, 1, field, new Constant(field.Width, number)) { Location = location };
        block.Operations.Add(isIt);
        block.Terminator = new Branch(isIt, rest, deferred);
        rest.Predecessors.Add(block);
        deferred.Predecessors.Add(block);
    }

    private void DeferLoops()
    {
        while (Loop.All(_function) is [var loop, ..])
        {
            var at = loop.Body.SelectMany(b => b.Operations).Select(o => o.Location).FirstOrDefault(l => l is not null);
            End(loop.Header, 0, new Defer("a loop has no constant bound", at));
        }
    }

    private void DeferAccesses()
    {
        var written = new WrittenState(_function);
        foreach (var block in _function.Blocks())
        {
            var before = written.AtStart(block);
            for (var i = 0; i < block.Operations.Count; i++)
            {
                var operation = block.Operations[i];
                if (ReasonOf(operation, before) is { } reason)
                {
                    End(block, i, new Defer(reason, operation.Location));
                    break;
                }
                WrittenState.Note(operation, before);
            }
            if (block.Terminator is Return end && !IsWhole(end)) End(block, block.Operations.Count, new Defer("the frame changes its length", null));
        }
    }

    private static string? ReasonOf(Operation operation, HashSet<object> written) => operation.Opcode switch
    {
        Opcode.Send => "a copy is sent",
        Opcode.FrameRead or Opcode.FrameWrite or Opcode.FrameSum when operation.Operands[0] is not Constant => "the frame is accessed at an offset that is computed",
        Opcode.FrameSum when !WrittenState.IsFirst(operation, written) => "a checksum covers bytes that were written before",
        _ => null,
    };

    /// <summary>Whether the frame leaves with the bytes that it came with, if it leaves.</summary>
    private static bool IsWhole(Return end)
    {
        if (Constant.Is(end.Egress, 0)) return true;
        var length = end.Length;
        while (length is Operation { Opcode: Opcode.Concat or Opcode.Extract } part)
        {
            if (part.Opcode == Opcode.Extract ? part.Low != 0 : !Constant.Is(part.Operands[0], 0)) return false;
            length = part.Operands[^1];
        }
        return Constant.Is(end.Start, 0) && length is Operation { Opcode: Opcode.Input, Input: FrameInput.Length };
    }

    /// <summary>Frames that are dropped end on ways of their own.</summary>
    private void SplitDrops()
    {
        var drop = new Block { Terminator = new Return(ValueFactory.Zero(32), ValueFactory.Zero(32), ValueFactory.Zero(64)) };
        foreach (var to in _function.Blocks())
        {
            foreach (var from in to.Predecessors.Distinct().ToList())
            {
                if (to == drop || EgressOf(from, to) is not Constant { Bits: var ports } || ports != 0) continue;
                Edges.Remove(from, to);
                from.Terminator = Edges.Retarget(from.Terminator!, to, drop);
                // Both ways of a branch may lead there now.
                if (!drop.Predecessors.Contains(from)) drop.Predecessors.Add(from);
            }
        }
    }

    /// <summary>The ports by which a frame leaves that goes from a block to another, if that does nothing but end.</summary>
    private static Value? EgressOf(Block from, Block to)
    {
        if (to.Operations.Count > 0) return null;
        var egress = to.Terminator switch
        {
            Return end => end.Egress,
            Jump jump => EgressOf(to, jump.Target),
            _ => null,
        };
        return egress is Phi phi && to.Phis.Contains(phi) ? phi.Operands[to.Predecessors.IndexOf(from)] : egress;
    }

    /// <summary>Where frames are dropped or deferred, and none leaves, all are deferred: the pipeline need not know why.</summary>
    private void DeferWhatOnlyDrops()
    {
        var blocks = _function.Blocks();
        var leaves = new HashSet<Block>();
        var deferred = new Dictionary<Block, Defer>();
        foreach (var block in Enumerable.Reverse(blocks))
        {
            if (block.Terminator is Return end && !Constant.Is(end.Egress, 0) || block.Terminator!.Successors.Any(leaves.Contains)) leaves.Add(block);
            if (block.Terminator is Defer defer) deferred[block] = defer;
            else if (block.Terminator.Successors.Where(deferred.ContainsKey).FirstOrDefault() is { } next) deferred[block] = deferred[next];
        }
        foreach (var block in blocks)
        {
            if (!leaves.Contains(block) && deferred.TryGetValue(block, out var defer)) End(block, 0, defer);
        }
    }

    private static void End(Block block, int index, Defer defer)
    {
        block.Operations.RemoveRange(index, block.Operations.Count - index);
        foreach (var successor in block.Terminator!.Successors) Edges.Remove(block, successor);
        block.Terminator = defer;
    }
}
