using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Replaces what is known by what it is known to be: folded operations, phis that join one value, operations that were
/// done before, branches that always go one way; then merges blocks and drops what nothing uses.
/// </summary>
internal static class Simplification
{
    public static void Run(Function function)
    {
        while (new Round(function).Run())
        {
        }
        DeadCode.Run(function);
    }

    private sealed class Round(Function function) : FoldingBuilder
    {
        private readonly Substitution _known = new();
        private readonly Dictionary<OperationKey, List<(Dominators.Span Under, Operation Operation)>> _done = [];
        private readonly Dominators _dominators = new(function);
        private readonly WrittenState _written = new(function);
        private readonly ClobberedBytes _clobbered = new(function);
        private readonly DemandedBits _demanded = new(function);
        private readonly NodeTable<Value, int> _demandedOfKnown = new();
        private Block _block = function.Entry;
        private Dominators.Span _span;
        private List<Operation> _operations = [];
        private bool _changed;

        /// <summary>
        /// Returns true if a branch or a phi is gone or blocks are merged: then there may be more to simplify.
        /// </summary>
        public bool Run()
        {
            // In this order a block that can be reached is reached from one before it;
            // what lies behind a branch that is gone is left alone.
            var reached = new NodeSet<Block>([function.Entry]);
            foreach (var block in function.Blocks().Where(reached.Contains))
            {
                Phis(block);
                Operations(block);
                block.Terminator = _known.Of(block.Terminator!);
                if (block.Terminator is Branch branch) Decide(block, branch);
                foreach (var successor in block.Terminator.Successors) reached.Add(successor);
            }
            _known.Apply(function);
            Edges.ForgetUnreachable(function);
            return BlockMerging.Run(function) || _changed;
        }

        private void Decide(Block block, Branch branch)
        {
            if (branch.Condition is Constant condition)
            {
                Edges.Remove(block, condition.Bits != 0 ? branch.Else : branch.Then);
                block.Terminator = new Jump(condition.Bits != 0 ? branch.Then : branch.Else);
                _changed = true;
            }
            else if (branch.Condition is Operation { Opcode: Opcode.Xor } not && Constant.Is(not.Operands[1], 1))
            {
                block.Terminator = new Branch(not.Operands[0], branch.Else, branch.Then);
            }
        }

        protected override int DemandedOf(Value value) => _demandedOfKnown.GetValueOrDefault(value);

        protected override Value Intern(Operation operation)
        {
            var key = new OperationKey(operation);
            if (!_done.TryGetValue(key, out var all)) _done[key] = all = [];
            foreach (var (under, before) in all)
            {
                if (under.Contains(_span)) return before;
            }
            all.Add((_span, operation));
            _operations.Add(operation);
            return operation;
        }

        private void Phis(Block block)
        {
            for (var i = block.Phis.Count - 1; i >= 0; i--)
            {
                var phi = block.Phis[i];
                _known.Resolve(phi.Operands);
                if (OnlyOperand(phi) is not { } same) continue;
                _known.Add(phi, same);
                block.Phis.RemoveAt(i);
                _changed = true;
            }
        }

        private static Value? OnlyOperand(Phi phi)
        {
            Value? only = null;
            foreach (var operand in phi.Operands)
            {
                if (operand == phi || only is not null && Constant.AreSame(operand, only)) continue;
                if (only is not null) return null;
                only = operand;
            }
            return only;
        }

        private void Operations(Block block)
        {
            (_block, _span) = (block, _dominators.Under(block));
            _operations = [];
            var written = _written.AtStart(block);
            var clobbered = _clobbered.AtStart(block);
            foreach (var original in block.Operations)
            {
                _known.Resolve(original.Operands);
                var operation = WithoutSelector(original);
                written.Note(operation);
                clobbered = _clobbered.Behind(clobbered, operation);
                if (operation.IsEffect || operation.ReadsState && !IsFirst(operation, written, clobbered))
                {
                    _operations.Add(operation);
                    _known.Add(original, operation);
                }
                else if (OfConstants(operation) is { } ofConstants)
                {
                    _known.Add(original, ofConstants);
                }
                else
                {
                    var known = operation.ReadsState ? Intern(operation) : Make(operation);
                    _known.Add(original, known);
                    _demandedOfKnown[known] = Math.Max(DemandedOf(known), _demanded.Of(original));
                }
            }
            block.Operations.Clear();
            block.Operations.AddRange(_operations);
        }

        private bool IsFirst(Operation read, WrittenState.Written written, ClobberedBytes.State clobbered) =>
            read.Opcode == Opcode.FrameRead ? _clobbered.Keeps(clobbered, read) : written.IsFirst(read);

        /// <summary>
        /// An operation on phis of its block that have only constants, as a phi of its results; null if it is none.
        /// </summary>
        private Value? OfConstants(Operation operation)
        {
            if (_block.Phis.Count == 0) return null;
            bool IsPhi(Value value) =>
                value is Phi phi && phi.Block == _block && phi.Operands.TrueForAll(o => o is Constant);

            if (OpcodeTable.Of(operation.Opcode).Kind != OpcodeKind.Pure || !operation.Operands.Exists(IsPhi)
                || !operation.Operands.TrueForAll(o => o is Constant || IsPhi(o)))
                return null;
            var result = new Phi(operation.Width, _block);
            for (var way = 0; way < _block.Predecessors.Count; way++)
            {
                var operands = operation.Operands.Select(o => o is Phi phi ? phi.Operands[way] : o);
                var onWay = new Operation(operation.Opcode, operation.Width, operands) { Low = operation.Low };
                if (Folding.TryFold(onWay) is not Constant known) return null;
                result.Operands.Add(known);
            }
            if (OnlyOperand(result) is { } same) return same;
            if (_block.Phis.Find(phi => IsAlike(phi, result, 0)) is { } alike) return alike;
            if (_block.Phis.Find(phi => phi.Width == 1 && IsAlike(phi, result, 1)) is { } opposite)
                return Not(opposite);
            _block.Phis.Add(result);
            return result;
        }

        /// <summary>True if a phi has the constants of another, each with some bits changed.</summary>
        private static bool IsAlike(Phi phi, Phi ofConstants, UInt128 changed)
        {
            for (var i = 0; i < phi.Operands.Count; i++)
            {
                if (!Constant.Is(phi.Operands[i], ((Constant)ofConstants.Operands[i]).Bits ^ changed)) return false;
            }
            return phi.Width == ofConstants.Width;
        }

        /// <summary>A constant selector chooses now.</summary>
        private static Operation WithoutSelector(Operation operation)
        {
            if (operation.State.Count < 2 || operation.Fold is not null
                || operation.Operands[^1] is not Constant selector
                || selector.Bits >= (UInt128)operation.State.Count)
                return operation;
            return new Operation(operation.Opcode, operation.Width, operation.Operands.SkipLast(1))
            {
                State = [operation.State[(int)selector.Bits]],
                Location = operation.Location,
            };
        }
    }
}
