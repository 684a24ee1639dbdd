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
    private const int MostPairs = 64;

    private readonly EarlyValues _early = new(n, frame);
    private readonly Dictionary<Memory, (List<Row> Read, List<Row> Written)?> _rows = [];

    /// <summary>True if the rows of a memory are known before state is looked at.</summary>
    public bool Has(Memory memory) => Of(memory) is not null;

    /// <summary>The hazards at memories whose rows are known. Those that have rows of one size have one.</summary>
    public IEnumerable<RowHazard> Hazards(IEnumerable<Memory> memories) =>
        from memory in memories
        let rows = Of(memory)!.Value
        group (memory, rows) by rows.Read.Concat(rows.Written).First().Index.Width into alike
        select new RowHazard(
            [.. alike.Select(one => one.memory)],
            Joined(alike.SelectMany(one => one.rows.Read)), Joined(alike.SelectMany(one => one.rows.Written)));

    private (List<Row> Read, List<Row> Written)? Of(Memory memory)
    {
        if (!_rows.TryGetValue(memory, out var known)) known = _rows[memory] = Find(memory);
        return known;
    }

    private (List<Row> Read, List<Row> Written)? Find(Memory memory)
    {
        var ports = state.Of(memory);
        var read = Places(
            ports,
            frame.Dataflow.Reads.Where(read => read.Memory == memory)
                .Select(read => (read.Index, n.ReduceOr(read.Conditions))));
        var written = Places(
            ports, frame.Dataflow.WritesOf(memory).Select(write => (write.Index, write.Condition)));
        for (var cut = LeastCut(read); cut < ports.Ram.AddressWidth; cut++)
        {
            if (Rows(read, cut) is not { } rows || Rows(written, cut) is not { } targets) continue;
            if (rows.Concat(targets).All(row => row.Index is Constant)) return null;
            if (Joined(rows).Count * Joined(targets).Count <= MostPairs) return (rows, targets);
        }
        return null;
    }

    /// <summary>The low bits by which nothing but words of one row differ.</summary>
    private int LeastCut(List<(Value Address, Value Condition)> read) =>
        read.Count == 0 ? 0 : Enumerable.Range(0, read[0].Address.Width)
            .MinBy(cut => read.Select(place => RowOf(place.Address, cut)).Distinct().Count());

    /// <summary>The addresses that an event uses, each with the condition under which it does.</summary>
    private List<(Value Address, Value Condition)> Places(
        MemoryPorts ports, IEnumerable<(Value Index, Value Condition)> uses) =>
        [.. uses.Select(use => (ports.Address(use.Index), n.And(frame.Admits, use.Condition)))];

    /// <summary>The rows that addresses can be in, without their low bits; null if they are not known early.</summary>
    private List<Row>? Rows(List<(Value Address, Value Condition)> places, int cut)
    {
        var all = new List<Row>();
        foreach (var (address, condition) in places.Select(place => (RowOf(place.Address, cut), place.Condition))
            .Distinct())
        {
            if (_early.Rows(address, condition) is not { } rows) return null;
            all.AddRange(rows);
        }
        return all;
    }

    /// <summary>Rows, with one for those that are the same, and for those of which an event uses one at most.</summary>
    private List<Row> Joined(IEnumerable<Row> rows)
    {
        var groups = new List<List<Row>>();
        foreach (var row in rows.Distinct()) Add(groups, row);
        return groups.ConvertAll(AsOne);
    }

    private Value RowOf(Value address, int cut) => n.Extract(address, cut, address.Width - cut);

    /// <summary>Puts a row to those that are the same, or that no event uses beside it.</summary>
    private void Add(List<List<Row>> groups, Row row)
    {
        var same = groups.Find(group => group.TrueForAll(other => Constant.AreSame(other.Index, row.Index)))
            ?? groups.Find(group => group.TrueForAll(other =>
                Constant.AreSame(other.Index, row.Index) || _early.Exclude(other.When, row.When)));
        if (same is null) groups.Add([row]);
        else same.Add(row);
    }

    /// <summary>The row of a group that an event uses.</summary>
    private Row AsOne(List<Row> group)
    {
        var index = group[0].Index;
        foreach (var row in group.Skip(1)) index = n.Select(row.When, row.Index, index);
        return new Row(index, n.ReduceOr(group.Select(row => row.When)));
    }
}
