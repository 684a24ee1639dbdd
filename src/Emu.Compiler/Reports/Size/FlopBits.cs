using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Reports.Size;

/// <summary>
/// Bits of flops that synthesis leaves out: those that never change,
/// and of several that always hold the same all but one.
/// </summary>
internal sealed class FlopBits
{
    private readonly Dictionary<(Flop Flop, int Bit), (Flop? Flop, int Bit)> _same = [];

    /// <summary>
    /// The bit that a bit of a flop always equals: a bit of another flop, or the constant bit if the flop is null.
    /// Null when there is neither.
    /// </summary>
    public (Flop? Flop, int Bit)? SameAs(Flop flop, int bit) =>
        _same.TryGetValue((flop, bit), out var same) ? same : null;

    /// <summary>Looks at what flops take, as it is known so far.</summary>
    /// <param name="flops">The flops of a design.</param>
    /// <param name="bitsOf">The literals of a value.</param>
    /// <returns>True if more bits are left out than before.</returns>
    public bool Learn(IEnumerable<Flop> flops, Func<Value, int[]> bitsOf)
    {
        var (before, known) =
            (_same.Count, new Dictionary<(int Next, int Enable, int Clear, int Start, bool IsReset), (Flop?, int)>());
        foreach (var flop in flops)
        {
            var (next, own) = (bitsOf(flop.Next), bitsOf(flop));
            var enable = flop.Enable is { } given ? bitsOf(given)[0] : GateNetwork.One;
            var clear = flop.Clear is { } cleared ? bitsOf(cleared)[0] : GateNetwork.Zero;
            for (var i = 0; i < flop.Width; i++)
            {
                if (_same.ContainsKey((flop, i))) continue;
                var start = (int)((flop.Reset ?? 0) >> i & 1);
                if (next[i] == start || next[i] == own[i] || enable == GateNetwork.Zero)
                    _same[(flop, i)] = (null, start);
                else if (!known.TryAdd((next[i], enable, clear, start, flop.Reset is not null), (flop, i)))
                    _same[(flop, i)] = known[(next[i], enable, clear, start, flop.Reset is not null)];
            }
        }
        return _same.Count > before;
    }
}
