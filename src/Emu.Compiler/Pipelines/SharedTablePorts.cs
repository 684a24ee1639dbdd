using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// Reads tables from outside by the ports that frames use: while none is in the stages, their flops can hold the index.
/// </summary>
internal sealed class SharedTablePorts(PipelineDesign design, PipelineStages stages)
{
    /// <summary>
    /// Stages in which an index that is put into the first of some flops reaches the last, before a word is looked at.
    /// </summary>
    private const int MaxIndexDelays = 4;

    private readonly Netlist _n = design.Netlist;
    private readonly Dictionary<Flop, Value> _indices = [];

    /// <summary>A word of a table, by a port of its own where no port of frames can be used.</summary>
    public Value Read(MemoryPorts ports, Value index)
    {
        var shared = ports.Ram.Reads.Select(read => (Read: read, Flops: IndexFlops(read.Address)))
            .Where(r => !r.Read.IsRegistered && r.Flops is not null)
            .OrderByDescending(r => r.Flops!.Count(f => _indices.ContainsKey(f.Flop))).FirstOrDefault();
        bool HoldsOther((Flop Flop, int Low) part) =>
            _indices.TryGetValue(part.Flop, out var other)
            && !Constant.AreSame(other, _n.Extract(index, part.Low, part.Flop.Width));
        if (shared.Flops is null || shared.Flops.Exists(HoldsOther))
            return _n.AddRead($"{ports.Ram.Name}_shown", ports.Ram, index, ports.IsRegistered);
        foreach (var (flop, low) in shared.Flops) Put(_n.Extract(index, low, flop.Width), flop);
        return shared.Read;
    }

    private void Put(Value index, Flop flop)
    {
        if (!_indices.TryAdd(flop, index)) return;
        var shows = design.Control.ShowsTables;
        flop.Next = _n.Select(shows, index, flop.Next);
        if (flop.Enable is not null) flop.Enable = _n.Or(shows, flop.Enable);
    }

    /// <summary>
    /// The flops that an address comes from, each with its place in it;
    /// null when it comes from more than flops of stages.
    /// </summary>
    private List<(Flop Flop, int Low)>? IndexFlops(Value address, int low = 0)
    {
        switch (address)
        {
            case Operation { Opcode: Opcode.Concat } concat:
                var right = IndexFlops(concat.Operands[1], low);
                var left = IndexFlops(concat.Operands[0], low + concat.Operands[1].Width);
                return left is null || right is null ? null : [.. right, .. left];
            case Flop flop when stages.IsStageFlop(flop):
                for (var i = 0;
                    i < MaxIndexDelays
                    && flop is { Enable: null, Next: Flop before } && stages.IsStageFlop(before);
                    i++) flop = before;
                return [(flop, low)];
            default:
                return null;
        }
    }
}
