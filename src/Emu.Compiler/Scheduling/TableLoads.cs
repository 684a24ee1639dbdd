using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>
/// The copies of tables into the frame by an event (<see cref="Opcode.FrameLoad"/>). Of those of one table an event
/// makes one at most where no path passes two, so these share what reads it.
/// </summary>
/// <param name="n">The netlist in which values are made.</param>
/// <param name="paths">The paths of the function.</param>
/// <param name="bits">The bits of an offset.</param>
internal sealed class TableLoads(Netlist n, BlockPaths paths, int bits)
{
    private readonly List<List<Load>> _groups = [];

    /// <summary>A copy.</summary>
    /// <param name="Table">The table.</param>
    /// <param name="Block">The block in which it is made.</param>
    /// <param name="Condition">The condition under which it is.</param>
    /// <param name="Offset">The offset of the first byte.</param>
    /// <param name="Index">The index of the first byte.</param>
    /// <param name="Count">The number of bytes.</param>
    private sealed record Load(
        Memory Table, Block Block, Value Condition, Value Offset, Value Index, Value Count);

    /// <summary>Adds a copy behind all others.</summary>
    /// <param name="table">The table.</param>
    /// <param name="block">The block in which it is made.</param>
    /// <param name="condition">The condition under which it is.</param>
    /// <param name="offset">The offset of the first byte.</param>
    /// <param name="index">The index of the first byte.</param>
    /// <param name="count">The number of bytes.</param>
    public void Add(Memory table, Block block, Value condition, Value offset, Value index, Value count)
    {
        var load = new Load(table, block, condition, offset, index, count);
        // It is put in behind all that were begun before it, of which those may be that it is to be put in behind.
        var last = _groups.FindLastIndex(group => group.Exists(other => paths.Leads(other.Block, block)));
        var group = _groups.Skip(last + 1).FirstOrDefault(group => group[0].Table == table
            && group.TrueForAll(other => paths.Exclude(other.Block, block)));
        if (group is null) _groups.Add([load]);
        else group.Add(load);
    }

    /// <summary>The bytes that are put in in some blocks.</summary>
    /// <param name="counts">True of these.</param>
    public IEnumerable<LoadedBytes> Loaded(Func<Block, bool> counts) =>
        _groups.ConvertAll(group => group.FindAll(load => counts(load.Block)))
            .FindAll(group => group.Count > 0).ConvertAll(BytesOf);

    private LoadedBytes BytesOf(List<Load> loads)
    {
        Value Chosen(int width, Func<Load, Value> of) =>
            n.SelectOneHot(width, loads.Select(load => (load.Condition, n.Resize(of(load), width))));
        // A power of two above all indices, and above all offsets.
        var indexBits = BitOperations.Log2(BitOperations.RoundUpToPowerOf2((uint)loads[0].Table.Depth)) + 1;
        indexBits = Math.Max(indexBits, bits);
        return new LoadedBytes(
            loads[0].Table,
            Chosen(indexBits, load => n.Subtract(n.Resize(load.Index, indexBits), n.Resize(load.Offset, indexBits))),
            Chosen(bits, load => load.Offset),
            Chosen(bits, load => n.Add(n.Resize(load.Offset, bits), n.Resize(load.Count, bits))));
    }
}
