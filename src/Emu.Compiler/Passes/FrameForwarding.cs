using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Gives a read of the frame the bytes that were written there before it, on every way (store-to-load forwarding;
/// scalar replacement of Callahan, Carr and Kennedy 1990): a header that is built and then parsed says by constants how
/// long it is.
/// </summary>
internal sealed class FrameForwarding
{
    /// <summary>The bytes that are followed.</summary>
    private const int Tracked = 128;

    private readonly Function _function;
    private readonly Dictionary<Block, Dictionary<int, Known>> _atEnd = [];
    private readonly List<(Block Block, Operation Read, List<Octet?> Bytes)> _forwarded = [];

    private FrameForwarding(Function function) => _function = function;

    /// <summary>The byte that is known at a place in the frame.</summary>
    /// <param name="Octet">The byte that was written there last.</param>
    /// <param name="MayBeCut">
    /// True if the frame has got a length since then that may not reach there: who reads the byte knows that it does,
    /// but where the frame has grown again it is 0.
    /// </param>
    private readonly record struct Known(Octet Octet, bool MayBeCut);

    /// <summary>A byte that was written: which one of a write, or on each way to a block another.</summary>
    /// <param name="block">The block of the write, or to which the ways lead.</param>
    /// <param name="write">The write; null for a byte that is another on each way.</param>
    /// <param name="place">The number of the byte among those of the write.</param>
    /// <param name="ways">The byte on each way.</param>
    private sealed class Octet(Block block, Operation? write, int place, IReadOnlyList<Octet> ways)
    {
        private Value? _value;

        /// <summary>The value, which is made when it is first asked for.</summary>
        public Value Value => _value ?? (write is null ? Joined() : Of(write));

        private Phi Joined()
        {
            var phi = new Phi(8, block);
            _value = phi;
            phi.Operands.AddRange(ways.Select(way => way.Value));
            block.Phis.Add(phi);
            return phi;
        }

        private Value Of(Operation made)
        {
            var data = made.Operands[1];
            var low = data.Width - 8 * (place + 1);
            if (data is Constant constant) return _value = new Constant(8, constant.Bits >> low);
            if (data.Width == 8) return _value = data;
            var part = new Operation(Opcode.Extract, 8, data) { Low = low, Location = made.Location };
            block.Operations.Insert(block.Operations.IndexOf(made), part);
            return _value = part;
        }
    }

    /// <summary>Forwards all that can be; true if there was anything.</summary>
    public static bool Run(Function function)
    {
        var blocks = function.Blocks();
        if (!blocks.Exists(block => block.Operations.Exists(operation => operation.Opcode == Opcode.FrameWrite)))
            return false;
        var forwarding = new FrameForwarding(function);
        var loops = Loop.All(blocks);
        foreach (var block in blocks) forwarding.Follow(block, loops.Find(loop => loop.Header == block));
        forwarding.Replace();
        return forwarding._forwarded.Count > 0;
    }

    private void Follow(Block block, Loop? loop)
    {
        var known = AtStart(block, loop);
        foreach (var operation in block.Operations)
        {
            if (operation is { Opcode: Opcode.FrameRead, Operands: [Constant { Bits: var offset }] }
                && offset < Tracked)
            {
                List<Octet?> bytes = [.. Enumerable.Range((int)offset, operation.Width / 8)
                    .Select(place => known.TryGetValue(place, out var one) ? one.Octet : null)];
                if (bytes.Exists(octet => octet is not null)) _forwarded.Add((block, operation, bytes));
            }
            Forget(known, operation);
            if (operation is not { Opcode: Opcode.FrameWrite, Operands: [Constant { Bits: var at }, _] }
                || at >= Tracked)
                continue;
            for (var i = 0; i < operation.Operands[1].Width / 8; i++)
                known[(int)at + i] = new Known(new Octet(block, operation, i, []), MayBeCut: false);
        }
        _atEnd[block] = known;
    }

    /// <summary>The bytes that are known where a block begins; of a loop those that none of its turns writes.</summary>
    private Dictionary<int, Known> AtStart(Block block, Loop? loop)
    {
        var before = block.Predecessors.FindAll(from => loop?.Body.Contains(from) != true);
        if (before.Count == 0 || !before.TrueForAll(_atEnd.ContainsKey)) return [];
        var ways = before.ConvertAll(from => _atEnd[from]);
        var known = new Dictionary<int, Known>();
        foreach (var (offset, first) in ways[0])
        {
            if (!ways.TrueForAll(way => way.ContainsKey(offset))) continue;
            var (octets, mayBeCut) = (
                ways.ConvertAll(way => way[offset].Octet), ways.Exists(way => way[offset].MayBeCut));
            if (octets.TrueForAll(octet => octet == first.Octet)) known[offset] = new Known(first.Octet, mayBeCut);
            else if (loop is null) known[offset] = new Known(new Octet(block, null, 0, octets), mayBeCut);
        }
        // What one turn has cut off, the next may bring back.
        for (var turn = 0; loop is not null && turn < 2; turn++)
            foreach (var operation in loop.Body.SelectMany(each => each.Operations)) Forget(known, operation);
        return known;
    }

    /// <summary>Forgets the bytes that an operation may write.</summary>
    private static void Forget(Dictionary<int, Known> known, Operation operation)
    {
        switch (operation.Opcode)
        {
            case Opcode.FrameWrite when operation.Operands[0] is Constant { Bits: var offset }:
                for (var i = 0; i < operation.Operands[1].Width / 8 && offset < Tracked; i++)
                    known.Remove((int)offset + i);
                break;
            case Opcode.FrameMap when operation.Operands[0] is Constant { Bits: var from }:
                ForgetFrom(known, from);
                break;
            case Opcode.FrameMove when operation.Operands[1] is Constant { Bits: var to }:
                ForgetFrom(known, to);
                break;
            case Opcode.FrameResize:
                ForgetIf(known, (_, one) => one.MayBeCut);
                if (operation.Operands[1] is Constant { Bits: var length }) ForgetFrom(known, length);
                else if (!ClobberedBytes.IsGrowth(operation))
                    foreach (var (place, one) in known.ToList()) known[place] = one with { MayBeCut = true };
                break;
            case Opcode.Wait:
            case var _ when operation.WritesFrame:
                known.Clear();
                break;
        }
    }

    private static void ForgetFrom(Dictionary<int, Known> known, UInt128 from) =>
        ForgetIf(known, (offset, _) => (UInt128)offset >= from);

    private static void ForgetIf(Dictionary<int, Known> known, Func<int, Known, bool> isForgotten)
    {
        foreach (var (offset, one) in known.ToList()) if (isForgotten(offset, one)) known.Remove(offset);
    }

    private void Replace()
    {
        var replaced = new Substitution();
        foreach (var (block, read, bytes) in _forwarded)
        {
            var made = new List<Operation>();
            Value? whole = null;
            for (var i = 0; i < bytes.Count;)
            {
                var asTheyCame = bytes.Skip(i).TakeWhile(octet => octet is null).Count();
                var part = bytes[i]?.Value ?? Part(read, i, asTheyCame, made);
                whole = whole is null ? part : Added(made, Opcode.Concat, whole.Width + part.Width, read, whole, part);
                i += part.Width / 8;
            }
            var at = block.Operations.IndexOf(read);
            block.Operations.RemoveAt(at);
            block.Operations.InsertRange(at, made);
            replaced.Add(read, whole!);
        }
        replaced.Apply(_function);
    }

    /// <summary>The bytes of a read that nobody is known to have written.</summary>
    private static Operation Part(Operation read, int first, int count, List<Operation> made)
    {
        var offset = (Constant)read.Operands[0];
        return Added(made, Opcode.FrameRead, 8 * count, read, new Constant(offset.Width, offset.Bits + (UInt128)first));
    }

    private static Operation Added(
        List<Operation> made, Opcode opcode, int width, Operation read, params Value[] operands)
    {
        made.Add(new Operation(opcode, width, operands) { Location = read.Location });
        return made[^1];
    }
}
