using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// Finds the rows of memories that an event uses, as functions of the header. Low bits of an index that depend on words
/// that were read are left out, so that a set of ways is one row.
/// </summary>
/// <param name="n">The netlist.</param>
/// <param name="state">The memories.</param>
/// <param name="frame">The event.</param>
internal sealed class RowAnalysis(Netlist n, ServiceState state, PipelineEvent frame)
{
    /// <summary>The most comparisons of rows for two frames.</summary>
    private const int MostPairs = 16;

    private readonly EarlyValues _early = new(n, frame);

    /// <summary>The hazard at a memory; null if its rows are not known before state is looked at.</summary>
    public RowHazard? Of(Memory memory)
    {
        var ports = state.Of(memory);
        var update = frame.Dataflow.Writes.Single(write => write.Memory == memory).Update;
        var reads = frame.Dataflow.Reads.Where(read => read.Memory == memory).Select(read => read.Index).ToList();
        (IReadOnlyList<Value> Read, IReadOnlyList<Value> Written)? best = null;
        var pairs = MostPairs + 1;
        for (var cut = 0; cut < ports.Ram.AddressWidth; cut++)
        {
            if (Rows(ports, reads, cut) is not { } read || Rows(ports, [update.Index], cut) is not { } written
                || read.Count * written.Count >= pairs || read.Concat(written).All(row => row is Constant)) continue;
            pairs = read.Count * written.Count;
            best = (read, written);
        }
        var happens = n.And(frame.Admits, update.Condition);
        return best is var (rows, target)
            ? new RowHazard(memory, rows, target, _early.Bound(happens, isNecessary: true))
            : null;
    }

    /// <summary>The rows that indices can be in, without their low bits; null if they are not known early.</summary>
    private List<Value>? Rows(MemoryPorts ports, IEnumerable<Value> indices, int cut)
    {
        var rows = new List<Value>();
        foreach (var index in indices)
        {
            var row = n.Extract(ports.Address(index), cut, ports.Ram.AddressWidth - cut);
            if (_early.Alternatives(row) is not { } alternatives) return null;
            rows.AddRange(alternatives.Where(one => !rows.Exists(known => Constant.AreSame(known, one))));
        }
        return rows;
    }
}
