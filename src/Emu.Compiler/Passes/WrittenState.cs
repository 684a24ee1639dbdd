using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The state that may have been written before a block begins:
/// up to its first write, every read of a state gives what the event found.
/// </summary>
internal sealed class WrittenState
{
    private const int WordBits = 64;

    /// <summary>The bit of the frame; those of state elements are above.</summary>
    private const int Frame = 0;

    private readonly Dictionary<StateElement, int> _bitOf = new(ReferenceEqualityComparer.Instance);
    private readonly NodeTable<Block, ulong[]> _atStart;
    private readonly int _words;

    public WrittenState(Function function)
    {
        var blocks = function.Blocks();
        foreach (var element in blocks.SelectMany(block => block.Operations).SelectMany(operation => operation.State))
            _bitOf.TryAdd(element, Frame + 1 + _bitOf.Count);
        _words = (Frame + 1 + _bitOf.Count + WordBits - 1) / WordBits;
        _atStart = new NodeTable<Block, ulong[]>(blocks.Count);
        foreach (var block in blocks) _atStart[block] = new ulong[_words];
        var own = blocks.ConvertAll(WrittenIn);
        var atEnd = new ulong[_words];
        var state = new Written(_bitOf, new ulong[_words]);
        foreach (var element in _bitOf.Keys) state.Add(element);
        for (var changed = true; changed;)
        {
            changed = false;
            for (var i = 0; i < blocks.Count; i++)
            {
                own[i].CopyTo(atEnd, 0);
                Union(atEnd, _atStart[blocks[i]]);
                // Other threads, and the outside, write while this one waits for the next edge.
                if (blocks[i].Terminator is Pause) Union(atEnd, state.Bits);
                foreach (var successor in blocks[i].Terminator!.Successors)
                    changed |= Union(_atStart[successor], atEnd);
            }
        }
    }

    /// <summary>The state that may have been written when a block begins.</summary>
    public Written AtStart(Block block) => new(_bitOf, [.. _atStart[block]]);

    private ulong[] WrittenIn(Block block)
    {
        var written = new Written(_bitOf, new ulong[_words]);
        block.Operations.ForEach(written.Note);
        return written.Bits;
    }

    /// <summary>Adds a set to another; false if all of it was there.</summary>
    private static bool Union(ulong[] set, ulong[] other)
    {
        var changed = false;
        for (var word = 0; word < set.Length; word++)
        {
            changed |= (other[word] & ~set[word]) != 0;
            set[word] |= other[word];
        }
        return changed;
    }

    /// <summary>A set of what may have been written: state elements, and the frame.</summary>
    internal sealed class Written(Dictionary<StateElement, int> bitOf, ulong[] bits)
    {
        /// <summary>A bit for each.</summary>
        public ulong[] Bits => bits;

        /// <summary>Adds what an operation writes.</summary>
        public void Note(Operation operation)
        {
            if (operation.WritesFrame) Add(Frame);
            else if (operation.IsEffect) for (var i = 0; i < operation.State.Count; i++) Add(operation.State[i]);
            if (operation.Callee is not { } callee) return;
            foreach (var element in CallEffects.Of(callee).Written.Where(bitOf.ContainsKey)) Add(element);
        }

        /// <summary>True if a read gives what the event found.</summary>
        public bool IsFirst(Operation read)
        {
            if (read.Opcode is Opcode.FrameRead or Opcode.FrameSum or Opcode.FrameFold && Has(Frame)) return false;
            for (var i = 0; i < read.State.Count; i++)
                if (bitOf.TryGetValue(read.State[i], out var bit) && Has(bit)) return false;
            return true;
        }

        /// <summary>Adds a state element.</summary>
        public void Add(StateElement element) => Add(bitOf[element]);

        private void Add(int bit) => bits[bit / WordBits] |= 1UL << bit % WordBits;

        private bool Has(int bit) => (bits[bit / WordBits] & 1UL << bit % WordBits) != 0;
    }
}
