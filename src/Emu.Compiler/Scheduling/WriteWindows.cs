using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>
/// The writes of an event at offsets that are computed. Those whose offsets are constants apart are one window of
/// bytes, so one shifter is enough for them.
/// </summary>
/// <param name="n">The netlist in which values are made.</param>
/// <param name="paths">The paths of the function.</param>
/// <param name="bits">The bits of an offset.</param>
internal sealed class WriteWindows(Netlist n, BlockPaths paths, int bits)
{
    /// <summary>The most bytes of a window.</summary>
    private const int MostBytes = 64;

    private readonly List<Window> _windows = [];

    /// <summary>Bytes at a place.</summary>
    /// <param name="Form">The place of the first write.</param>
    /// <param name="Offset">What it is.</param>
    private sealed record Window(LinearForm Form, Value Offset)
    {
        /// <summary>The writes, each behind the first by so many bytes, or in front of it.</summary>
        public List<(int Place, Value Data, Block Block, Value Condition)> Writes { get; } = [];
    }

    /// <summary>Adds a write behind all others.</summary>
    /// <param name="place">The offset in the program.</param>
    /// <param name="offset">What it is.</param>
    /// <param name="data">The bytes.</param>
    /// <param name="block">The block of the write.</param>
    /// <param name="condition">The condition under which it is done.</param>
    public void Add(Value place, Value offset, Value data, Block block, Value condition)
    {
        var form = LinearForm.Of(place, bits, part => Interval.Full(part.Width), _ => null);
        var at = _windows.FindLastIndex(window => PlaceIn(window, form) is not null);
        // A window is put in behind those that were begun before it: a write that follows one of a later window
        // begins its own.
        if (at < 0 || _windows.Skip(at + 1).Any(later => later.Writes.Exists(w => paths.Leads(w.Block, block))))
        {
            at = _windows.Count;
            _windows.Add(new Window(form, n.Extract(offset, 0, bits)));
        }
        _windows[at].Writes.Add((PlaceIn(_windows[at], form)!.Value, data, block, condition));
    }

    /// <summary>The bytes that are written in some blocks.</summary>
    /// <param name="counts">True of these.</param>
    public IEnumerable<PlacedBytes> Placed(Func<Block, bool> counts)
    {
        foreach (var window in _windows)
        {
            var writes = window.Writes.FindAll(write => counts(write.Block));
            if (writes.Count == 0) continue;
            var first = writes.Min(write => write.Place);
            var bytes = new SortedDictionary<int, (Value Condition, Value Byte)>();
            foreach (var (place, data, _, condition) in writes)
            {
                for (var i = 0; i < data.Width / 8; i++)
                {
                    var octet = n.Extract(data, data.Width - 8 * (i + 1), 8);
                    bytes[place - first + i] = bytes.TryGetValue(place - first + i, out var before)
                        ? (n.Or(before.Condition, condition), n.Select(condition, octet, before.Byte))
                        : (condition, octet);
                }
            }
            // Modulo the power of two of an offset.
            var offset = n.Add(window.Offset, new Constant(bits, (UInt128)(Int128)first & Arithmetic.Mask(bits)));
            yield return new PlacedBytes(offset, [.. bytes.Select(b => (b.Key, b.Value.Condition, b.Value.Byte))]);
        }
    }

    /// <summary>
    /// By how many bytes a place is behind a window's first, or in front of it; null if that is not known, or too far.
    /// </summary>
    private int? PlaceIn(Window window, LinearForm form)
    {
        var difference = form.Minus(window.Form);
        if (!difference.IsNumber) return null;
        var behind = difference.Number < MostBytes / 2 ? (int)difference.Number
            : (int)difference.Number - (1 << bits);
        return behind > -MostBytes / 2 ? behind : null;
    }
}
