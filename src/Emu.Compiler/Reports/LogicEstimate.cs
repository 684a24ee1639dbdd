using Emu.Compiler.IR;
using Emu.Compiler.Reports.Size;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Reports;

/// <summary>
/// LUTs of six inputs and DSPs that operations need, before synthesis: the operations are taken apart into gates, and
/// these are covered by LUTs, much as synthesis does it. A LUT belongs to the operation whose bit leaves it.
/// </summary>
internal sealed class LogicEstimate
{
    /// <summary>The number of times that flops are examined; later rounds find little.</summary>
    private const int MostRounds = 16;

    private readonly Dictionary<Value, (double Luts, int Dsps)> _sizes = new(ReferenceEqualityComparer.Instance);

    /// <summary>Covers what the outputs of a design need: synthesis leaves out the rest, bit by bit.</summary>
    public LogicEstimate(Design design)
    {
        var outputs = design.Outputs.SelectMany(output => output.Parts).ToList();
        var needed = new NeededItems(outputs);
        var values = Ordered([.. outputs, .. needed.Inputs], _ => false);
        var flops = new FlopBits();
        var bits = new OperationBits(new GateNetwork(), values, flops);
        // A fact about one flop may yield more about others.
        for (var round = 0; round < MostRounds && flops.Learn(needed.Items.OfType<Flop>(), bits.Of); round++)
            bits = new OperationBits(new GateNetwork(), values, flops);
        needed.Join(bits);
        Cover(bits, outputs);
    }

    /// <summary>Covers what some values need.</summary>
    /// <param name="roots">They have to be there, each bit of them.</param>
    /// <param name="isLeaf">True for a value that is there without any logic.</param>
    public LogicEstimate(IReadOnlyCollection<Value> roots, Predicate<Value> isLeaf) =>
        Cover(new OperationBits(new GateNetwork(), Ordered(roots, isLeaf), new FlopBits()), roots);

    /// <summary>The LUTs of an operation, or of a ROM's word.</summary>
    public double LutsOf(Value value) => _sizes.GetValueOrDefault(value).Luts;

    /// <summary>The LUTs of all operations.</summary>
    public double Luts => _sizes.Values.Sum(size => size.Luts);

    /// <summary>The DSPs of an operation.</summary>
    public int DspsOf(Value value) => _sizes.GetValueOrDefault(value).Dsps;

    private void Cover(OperationBits bits, IEnumerable<Value> roots)
    {
        var cover = new LutCover(bits.Network, [.. roots.SelectMany(bits.Of)], bits.Hard.Before);
        foreach (var owner in cover.Luts) Add(owner, 1, 0);
        foreach (var hard in cover.Needed.Where(bits.Hard.Owners.ContainsKey).GroupBy(node => bits.Hard.Owners[node]))
        {
            var (luts, dsps) = hard.Key.SizeOf(hard);
            Add(hard.Key.Operation, luts, dsps);
        }
    }

    private void Add(Value? value, double luts, int dsps)
    {
        if (value is null) return;
        var (before, dspsBefore) = _sizes.GetValueOrDefault(value);
        _sizes[value] = (before + luts, dspsBefore + dsps);
    }

    private static List<Value> Ordered(IEnumerable<Value> roots, Predicate<Value> isLeaf)
    {
        var values = new List<Value>();
        var order = new PostOrder(isLeaf, CombinationalOrder.Operands, _ => { }, values.Add);
        foreach (var root in roots) order.Visit(root);
        return values;
    }
}
