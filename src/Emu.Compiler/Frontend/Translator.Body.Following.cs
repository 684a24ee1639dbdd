using Emu.Compiler.IR;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    private sealed partial class Body
    {
        /// <summary>A place at which the code goes on, the block that leads there, and its operands.</summary>
        private sealed record Entry(int Offset, Block From, IReadOnlyList<AbstractValue> Stack);

        /// <summary>
        /// Follows the one way that a thread takes before its first pause, as far as constants decide it: what is done
        /// in each turn of a loop is translated for each turn (online partial evaluation; Jones, Gomard and Sestoft
        /// 1993). So objects may be made there.
        /// </summary>
        /// <returns>The places at which it goes on; none where it does not.</returns>
        private List<Entry> Follow(Dictionary<int, List<int>> successors)
        {
            var (offset, stack) = (0, (IReadOnlyList<AbstractValue>)[]);
            while (_builder.Current is { } current)
            {
                // From a protected block there is a way to its handler, too.
                if (_code.Around(offset) is not null || _code.HandlerAt(offset) is not null
                    || !_translator.MayFollow(_method, _code.Instructions[_indexAt[offset]]))
                    return [new Entry(offset, current, stack)];
                _blocks.Clear();
                _entryStacks.Clear();
                foreach (var next in successors[offset].Distinct()) _blocks[next] = _builder.NewBlock();
                _isFollowing = true;
                TranslateBlock(offset, stack);
                _isFollowing = false;
                var reached = _blocks.Where(block => block.Value.Predecessors.Count > 0).ToList();
                if (reached is [var only] && _builder.TryContinue(only.Value))
                    (offset, stack) = (only.Key, OperandsOf(only.Value));
                else return reached.ConvertAll(EntryOf);
            }
            return [];
        }

        private Entry EntryOf(KeyValuePair<int, Block> reached)
        {
            _builder.Seal(reached.Value);
            _builder.Current = reached.Value;
            return new Entry(reached.Key, reached.Value, OperandsOf(reached.Value));
        }

        private List<AbstractValue> OperandsOf(Block block) =>
            _entryStacks.TryGetValue(block, out var slots) ? slots.ConvertAll(_builder.Read) : [];

        /// <summary>Goes on at a place, with the operands that lead there.</summary>
        private void GoOn(Entry entry)
        {
            _builder.Current = entry.From;
            _stack.Clear();
            foreach (var value in entry.Stack) _stack.Push(value);
            Spill(_blocks[entry.Offset]);
            _builder.Jump(_blocks[entry.Offset]);
        }
    }
}
