using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>A queue in distributed RAM; the values ahead of all others are seen until they are taken.</summary>
internal sealed class WordQueue
{
    private readonly Netlist _n;
    private readonly Flop _count;
    private readonly int _depth;

    /// <summary>Makes it.</summary>
    /// <param name="n">The netlist in which it is made, at its section.</param>
    /// <param name="name">The name of its RAMs and flops.</param>
    /// <param name="depth">The most values that it holds, which its users do not exceed.</param>
    /// <param name="values">The values that are put in.</param>
    /// <param name="push">1 when they are.</param>
    /// <param name="countsLater">
    /// True if room is counted a cycle after values were taken; whether there are any is seen by the pointers then.
    /// </param>
    public WordQueue(
        Netlist n, string name, int depth, IReadOnlyList<Value> values, Value push, bool countsLater = false)
    {
        (_n, _depth) = (n, (int)BitOperations.RoundUpToPowerOf2((uint)depth));
        Pop = n.DeclareWire($"{name}_pop", 1);
        var bits = BitOperations.Log2((uint)_depth);
        _count = n.AddFlop($"{name}_count", bits + 1, 0);
        Value taken = countsLater ? n.Registered($"{name}_taken", Pop, 0) : Pop;
        var isLess = Enumerable.Repeat<Value>(n.And(taken, n.Not(push)), bits).Aggregate(n.Concat);
        _count.Next = n.Add(_count, n.Concat(isLess, n.Xor(taken, push)));
        // A bit more tells a full queue from an empty one.
        var pointerBits = countsLater ? bits + 1 : bits;
        Flop Pointer(string end, Value moves)
        {
            var pointer = n.AddFlop($"{name}_{end}", pointerBits, 0);
            (pointer.Next, pointer.Enable) = (n.Add(pointer, new Constant(pointerBits, 1)), moves);
            return pointer;
        }
        var (tail, head) = (Pointer("tail", push), Pointer("head", Pop));
        var words = FifoWords.Join(n, values).Select((word, i) =>
        {
            var ram = n.AddRam($"{name}_{i}", word.Width, _depth);
            ram.Write = new RamWrite(n.Extract(tail, 0, bits), word, push);
            return (Value)n.AddRead($"{ram.Name}_read", ram, n.Extract(head, 0, bits), isRegistered: false);
        }).ToList();
        Head = FifoWords.Split(n, words, values.Select(value => value.Width));
        IsOccupied = n.Not(countsLater
            ? n.Equal(tail, head)
            : n.Equal(_count, FoldingBuilder.Zero(_count.Width)));
    }

    /// <summary>Set to 1 when the values ahead are taken.</summary>
    public Wire Pop { get; }

    /// <summary>The values ahead of all others.</summary>
    public IReadOnlyList<Value> Head { get; }

    /// <summary>True if there are any.</summary>
    public Value IsOccupied { get; }

    /// <summary>True if there is room for so many more.</summary>
    public Value HasRoomFor(int more) => _n.Less(_count, new Constant(_count.Width, (UInt128)(_depth - more + 1)));
}
