using Emu.Compiler.Frontend;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using KiwiSystem;

namespace Emu.Compiler.Clocked;

/// <summary>
/// Finds which code of a thread is soft: a forward data-flow analysis of the mode that it sets, and of what its last
/// pause says. Where ways with different modes meet, code is hard.
/// </summary>
internal sealed class SoftRegions
{
    /// <summary>A mode that depends on the way.</summary>
    private const int Unknown = -1;

    private readonly ThreadContext _context;
    private readonly Dictionary<Block, (int Mode, int? OfPause)> _starts = [];
    private readonly Dictionary<Value, int> _read = new(ReferenceEqualityComparer.Instance);

    private SoftRegions(Function thread, ThreadContext context)
    {
        _context = context;
        _starts[thread.Entry] = ((int)context.PauseMode.Reset, null);
        var waiting = new Queue<Block>([thread.Entry]);
        while (waiting.TryDequeue(out var block))
        {
            var end = Follow(block, (_, _) => { });
            if (block.Terminator is Pause) end.OfPause = null;
            foreach (var next in block.Terminator!.Successors)
            {
                var met = _starts.TryGetValue(next, out var known) ? Meet(known, end) : end;
                if (_starts.TryGetValue(next, out known) && known == met) continue;
                _starts[next] = met;
                waiting.Enqueue(next);
            }
        }
    }

    /// <summary>
    /// Notes how the code of each instruction is taken, and leaves of the modes in the thread what it computes with.
    /// </summary>
    /// <param name="thread">The thread, as it was translated.</param>
    /// <param name="context">Its registers for modes.</param>
    public static void Run(Function thread, ThreadContext context)
    {
        var regions = new SoftRegions(thread, context);
        foreach (var block in thread.Blocks().Where(regions._starts.ContainsKey))
            regions.Follow(block, (operation, isSoft) => context.Shared.Places.Note(operation.Location, isSoft));
        regions.Replace(thread);
    }

    private (int Mode, int? OfPause) Follow(Block block, Action<Operation, bool> visit)
    {
        var (mode, ofPause) = _starts[block];
        foreach (var operation in block.Operations)
        {
            visit(operation, IsSoft(ofPause ?? mode));
            if (operation.State is not [var element]) continue;
            if (element == _context.PauseMode && operation.IsEffect) mode = Written(operation);
            else if (element == _context.PauseMode) _read[operation] = mode;
            else if (element == _context.PauseFlag) ofPause = Written(operation);
        }
        return (mode, ofPause);
    }

    private int Written(Operation write) => write.Operands[0] switch
    {
        Constant constant => (int)constant.Bits,
        var value => _read.GetValueOrDefault(value, Unknown),
    };

    private static bool IsSoft(int mode) => mode is not (Unknown or (int)Kiwi.PauseControl.hardPauseEnable);

    private static (int Mode, int? OfPause) Meet((int Mode, int? OfPause) one, (int Mode, int? OfPause) other) => (
        one.Mode == other.Mode ? one.Mode : Unknown, one.OfPause == other.OfPause ? one.OfPause : Unknown);

    /// <summary>A mode that is known is a number; where all are, nothing keeps it.</summary>
    private void Replace(Function thread)
    {
        var known = new Substitution();
        foreach (var (read, mode) in _read)
            if (mode != Unknown) known.Add(read, new Constant(read.Width, (UInt128)mode));
        known.Apply(thread);
        var isKept = _read.ContainsValue(Unknown);
        foreach (var block in thread.Blocks())
        {
            block.Operations.RemoveAll(operation => operation.State is [var element]
                && (element == _context.PauseFlag || element == _context.PauseMode && !isKept));
        }
    }
}
