using System.Runtime.Intrinsics;

namespace Emu.Simulation;

/// <summary>
/// Runs the methods of a cycle of which something that they read has changed since they last ran; all others would
/// compute what is there already (selective trace; Ulrich 1969, <em>Exclusive simulation of activity in digital
/// networks</em>).
/// </summary>
/// <param name="design">The design.</param>
internal sealed class DueMethods(CompiledDesign design)
{
    private readonly bool[] _isDue = [.. design.NextState.Select(_ => true)];

    /// <summary>The words that methods compute for others, as they were when these last ran.</summary>
    private readonly ulong[][] _seen = [.. design.NextState.Select(method => new ulong[method.Kept.Count])];

    /// <summary>Puts a word of an input into memory.</summary>
    public void Put(ulong[] memory, int slot, ulong word)
    {
        if (memory[slot] == word) return;
        memory[slot] = word;
        Mark(design.Activity.ReadersOf(slot));
    }

    /// <summary>Has all methods run in the next cycle.</summary>
    public void MarkAll() => Array.Fill(_isDue, true);

    /// <summary>Computes the state after the edge.</summary>
    public void Run(ulong[] memory)
    {
        for (var i = 0; i < _isDue.Length; i++)
        {
            if (!_isDue[i]) continue;
            _isDue[i] = false;
            design.NextState[i].Run(ref memory[0]);
            var (kept, seen) = (design.Activity.KeptBy(i), _seen[i]);
            for (var k = 0; k < seen.Length; k++)
            {
                var word = memory[kept[k].Slot];
                if (word == seen[k]) continue;
                seen[k] = word;
                Mark(kept[k].Readers);
            }
            foreach (var (flag, readers) in design.Activity.WrittenBy(i))
            {
                if (memory[flag] == 0) continue;
                memory[flag] = 0;
                Mark(readers);
            }
        }
    }

    /// <summary>Makes the state after the edge the state.</summary>
    public void Latch(ulong[] memory)
    {
        var (state, next) = (design.Layout.State, design.Layout.Next);
        for (; state <= design.Layout.Next - Vector256<ulong>.Count; state += Vector256<ulong>.Count)
        {
            if (Vector256.Create(memory, state) != Vector256.Create(memory, next))
                for (var i = 0; i < Vector256<ulong>.Count; i++) Put(memory, state + i, memory[next + i]);
            next += Vector256<ulong>.Count;
        }
        for (; state < design.Layout.Next; state++) Put(memory, state, memory[next++]);
    }

    private void Mark(int[] methods)
    {
        foreach (var method in methods) _isDue[method] = true;
    }
}
