using System.Numerics;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Clocked;

/// <summary>
/// The arrays of a program. One that each cycle reads and writes at one place at most is a memory, with a read port for
/// each thread; a small one, or one of a few words that a cycle uses at several places, is registers. Constant ones are
/// read as often as one likes.
/// </summary>
internal sealed class MemoryBank
{
    /// <summary>The bits up to which an array is registers in any case, and up to which it may be.</summary>
    private const int FewBits = 256, MostRegisterBits = 4096;

    private readonly Netlist _n;
    private readonly Ranges _ranges;
    private readonly IReadOnlySet<StateElement> _written;
    private readonly Section _section;
    private readonly HashSet<Memory> _isFile = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Memory, Flop[]> _files = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Memory, Ram> _rams = new(ReferenceEqualityComparer.Instance);
    private readonly SharedWords _words;
    private readonly Dictionary<(Memory Memory, int Thread), List<(Value Condition, MemoryAccess Access)>> _reads = [];
    private readonly Dictionary<Memory, List<(int Thread, MemoryUpdate Update)>> _writes =
        new(ReferenceEqualityComparer.Instance);

    /// <summary>Decides what the arrays of a program become, and connects them.</summary>
    /// <param name="n">The netlist.</param>
    /// <param name="ranges">The numbers that elements can hold.</param>
    /// <param name="written">The state that some cycle writes.</param>
    /// <param name="cycles">All cycles of all threads.</param>
    /// <exception cref="CompileException">A cycle uses a large array at several places.</exception>
    public MemoryBank(
        Netlist n, Ranges ranges, IReadOnlySet<StateElement> written, IReadOnlyList<ActiveCycle> cycles)
    {
        (_n, _ranges, _written, _section, _words) = (n, ranges, written, n.Begin("arrays"), new SharedWords(n));
        foreach (var cycle in cycles) ChooseFiles(cycle.Flow);
        foreach (var writes in cycles.SelectMany(cycle =>
            cycle.Flow.Writes.Select(write => (write.Memory, cycle.Thread, write.Update.Location)))
            .GroupBy(write => write.Memory).Where(all => all.DistinctBy(write => write.Thread).Count() > 1))
            BecomeFile(writes.Key, "written by several threads", writes.Last().Location, "let one thread own it");
        foreach (var cycle in cycles) Add(cycle.Flow, cycle.Thread, cycle.IsActive);
        Finish();
    }

    /// <summary>The words that cycles read of memories.</summary>
    public SharedWords Words => _words;

    /// <summary>The conditions under which two threads write one element.</summary>
    public List<(Memory Memory, Value Condition)> Conflicts { get; } = [];

    private static int BitsOf(Memory memory) => memory.Depth * memory.Width;

    private void ChooseFiles(Dataflow cycle)
    {
        foreach (var memory in cycle.Reads.Select(read => read.Memory).Concat(cycle.Writes.Select(w => w.Memory)))
            if (_written.Contains(memory) && BitsOf(memory) <= FewBits) _isFile.Add(memory);
        foreach (var (memory, write) in cycle.Collisions)
            BecomeFile(memory, "written at two places in one cycle", write.Location);
        foreach (var reads in cycle.Reads.Where(read => _written.Contains(read.Memory)).GroupBy(read => read.Memory))
        {
            var all = reads.ToList();
            if (all.Index().All(read => all.Take(read.Index).All(other => cycle.Exclude(read.Item, other)))) continue;
            var location = cycle.Accesses.LastOrDefault(a => a.Element == reads.Key && !a.IsWrite)?.Location;
            BecomeFile(reads.Key, "read at two places in one cycle", location);
        }
    }

    private void BecomeFile(
        Memory memory, string why, SourceLocation? location, string instead = "put Kiwi.Pause() between them")
    {
        if (_isFile.Contains(memory)) return;
        if (BitsOf(memory) > MostRegisterBits)
            throw new CompileException(
                DiagnosticNumber.MemoryPort,
                $"the array {memory.Name} is {why}, and a memory has one port for reads and one for writes; {instead}, "
                + $"or make the array at most {MostRegisterBits / memory.Width} long, so that it is registers",
                location);
        _isFile.Add(memory);
    }

    private void Add(Dataflow cycle, int thread, Value isActive)
    {
        foreach (var reads in cycle.Reads.GroupBy(read => read.Memory).Select(group => group.ToList()))
        {
            // The only address of a cycle waits for no condition, which may depend on the word that is read there.
            foreach (var read in reads)
                Read(read, thread, reads.Count == 1 ? isActive : _n.And(isActive, _n.ReduceOr(read.Conditions)));
        }
        foreach (var memory in cycle.Writes.Select(write => write.Memory).Distinct())
        {
            var updates = IsFile(memory)
                ? cycle.WritesOf(memory)
                : cycle.Writes.Where(write => write.Memory == memory).Select(write => write.Update);
            if (!_writes.TryGetValue(memory, out var all)) _writes[memory] = all = [];
            all.AddRange(updates.Select(update =>
                (thread, update with { Condition = _n.And(isActive, update.Condition) })));
        }
    }

    private void Finish()
    {
        _n.Continue(_section);
        foreach (var ((memory, _), reads) in _reads)
        {
            var ram = RamOf(memory);
            var address = _n.SelectEncoded(
                reads.Select(r => (r.Condition, _n.Resize(r.Access.Index, ram.AddressWidth))));
            var port = _n.AddRead(Netlist.SnakeCase(memory.Name) + "_out", ram, address, isRegistered: false);
            var word = _n.Resize(port, memory.Width);
            foreach (var (_, access) in reads) _words.Add(access.Word, access.Word.Source = word);
        }
        foreach (var (memory, writes) in _writes)
        {
            NoteConflicts(memory, writes);
            if (IsFile(memory)) WriteFile(FileOf(memory), writes);
            else WriteRam(RamOf(memory), writes);
        }
    }

    private bool IsFile(Memory memory) => _isFile.Contains(memory);

    private int WidthOf(Memory memory) => _ranges.Of(memory).Width;

    private void Read(MemoryAccess access, int thread, Value condition)
    {
        _n.Continue(_section);
        var (memory, word) = (access.Memory, access.Word);
        word.Name = _n.Unique(word.Name);
        _section.Items.Add(word);
        if (!_written.Contains(memory))
        {
            var ram = RamOf(memory);
            var port = _n.AddRead(
                Netlist.SnakeCase(memory.Name) + "_rom", ram, _n.Resize(access.Index, ram.AddressWidth), false);
            word.Source = _n.Resize(port, memory.Width);
        }
        else if (IsFile(memory))
        {
            var file = FileOf(memory);
            word.Source = _n.Resize(
                file.Length == 1 ? file[0] : _n.SelectByIndex(file, _n.Resize(access.Index, Bits(file.Length))),
                memory.Width);
        }
        else
        {
            if (!_reads.TryGetValue((memory, thread), out var all)) _reads[(memory, thread)] = all = [];
            all.Add((condition, access));
        }
    }

    private Flop[] FileOf(Memory memory)
    {
        if (_files.TryGetValue(memory, out var file)) return file;
        var name = Netlist.SnakeCase(memory.Name);
        file =
        [
            .. memory.Reset.Select((bits, i) =>
                _n.AddFlop($"{name}_{i}", WidthOf(memory), bits, $"{memory.Name}[{i}]")),
        ];
        for (var i = 0; i < file.Length; i++) file[i].Next = new Constant(file[i].Width, memory.Reset[i]);
        return _files[memory] = file;
    }

    private Ram RamOf(Memory memory)
    {
        if (_rams.TryGetValue(memory, out var ram)) return ram;
        var depth = Math.Max(2, (int)BitOperations.RoundUpToPowerOf2((uint)memory.Depth));
        UInt128[] initial = [.. memory.Reset, .. Enumerable.Repeat(UInt128.Zero, depth - memory.Depth)];
        return _rams[memory] = _n.AddRam(
            Netlist.SnakeCase(memory.Name), WidthOf(memory), depth, initial, memory.Name);
    }

    private void WriteFile(Flop[] file, List<(int Thread, MemoryUpdate Update)> writes)
    {
        for (var i = 0; i < file.Length; i++)
        {
            Value next = file[i], enable = FoldingBuilder.Bit(false);
            foreach (var (_, update) in writes)
            {
                var isHere = _n.And(
                    update.Condition, _n.Equal(update.Index, new Constant(update.Index.Width, (UInt128)i)));
                next = _n.Select(isHere, _n.Resize(update.Data, file[i].Width), next);
                enable = _n.Or(enable, isHere);
            }
            (file[i].Next, file[i].Enable) = (next, Constant.Is(enable, 1) ? null : enable);
        }
    }

    private void WriteRam(Ram ram, List<(int Thread, MemoryUpdate Update)> writes) => ram.Write = new RamWrite(
        _n.SelectEncoded(
            writes.Select(w => (w.Update.Condition, _n.Resize(w.Update.Index, ram.AddressWidth)))),
        _n.SelectEncoded(SplitChoices.Of(
            writes.Select(w => (w.Update.Condition, _words.In(_n.Resize(w.Update.Data, ram.Width)))), _n.And, _n.Not)),
        _n.ReduceOr(writes.Select(w => w.Update.Condition)));

    /// <summary>
    /// Two threads may write one array, but not one element of it in one cycle; of a memory, one a cycle.
    /// </summary>
    private void NoteConflicts(Memory memory, List<(int Thread, MemoryUpdate Update)> writes)
    {
        for (var i = 0; i < writes.Count; i++)
        {
            foreach (var (_, other) in writes.Take(i).Where(w => w.Thread != writes[i].Thread))
            {
                var both = _n.And(other.Condition, writes[i].Update.Condition);
                if (IsFile(memory)) both = _n.And(both, _n.Equal(other.Index, writes[i].Update.Index));
                Conflicts.Add((memory, both));
            }
        }
    }

    private static int Bits(int count) => Math.Max(1, BitOperations.Log2((uint)count - 1) + 1);
}
