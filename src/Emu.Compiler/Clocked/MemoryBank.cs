using System.Numerics;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Clocked;

/// <summary>
/// The arrays of a program: small ones are registers, all of which a cycle reads and writes; larger ones are memories
/// of one read port and one write port, which a cycle uses once each. Constant ones are read as often as one likes.
/// </summary>
/// <param name="n">The netlist.</param>
/// <param name="ranges">The numbers that elements can hold.</param>
/// <param name="written">The memories that some cycle writes.</param>
internal sealed class MemoryBank(Netlist n, Ranges ranges, IReadOnlySet<StateElement> written)
{
    /// <summary>The most bits of an array that is registers.</summary>
    private const int MostRegisterBits = 1024;

    private readonly Section _section = n.Begin("arrays");
    private readonly Dictionary<Memory, Flop[]> _files = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Memory, Ram> _rams = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Memory, List<(Value Condition, MemoryAccess Access)>> _reads =
        new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Memory, List<(int Thread, MemoryUpdate Update)>> _writes =
        new(ReferenceEqualityComparer.Instance);

    /// <summary>The conditions under which two threads write one memory.</summary>
    public List<(Memory Memory, Value Condition)> Conflicts { get; } = [];

    /// <summary>Gives the words that a cycle reads, and notes what it writes.</summary>
    /// <param name="cycle">The cycle.</param>
    /// <param name="thread">The number of the thread.</param>
    /// <param name="isActive">1 when it is the cycle that is done.</param>
    public void Add(Dataflow cycle, int thread, Value isActive)
    {
        foreach (var reads in cycle.Reads.GroupBy(read => read.Memory))
        {
            if (!IsFile(reads.Key) && written.Contains(reads.Key)) CheckReads(cycle, [.. reads]);
            foreach (var read in reads) Read(read, isActive);
        }
        foreach (var memory in cycle.Writes.Select(write => write.Memory))
        {
            if (!IsFile(memory) && cycle.Collision is { } collision && collision.Memory == memory)
                throw Refuse(memory, "written", collision.Update.Location);
            var updates = IsFile(memory)
                ? cycle.WritesOf(memory)
                : cycle.Writes.Where(write => write.Memory == memory).Select(write => write.Update);
            if (!_writes.TryGetValue(memory, out var all)) _writes[memory] = all = [];
            all.AddRange(updates.Select(update =>
                (thread, update with { Condition = n.And(isActive, update.Condition) })));
        }
    }

    /// <summary>Connects the ports.</summary>
    public void Finish()
    {
        n.Continue(_section);
        foreach (var (memory, reads) in _reads)
        {
            var ram = RamOf(memory);
            var address = n.SelectOneHot(
                ram.AddressWidth, reads.Select(r => (r.Condition, n.Resize(r.Access.Index, ram.AddressWidth))));
            var port = n.AddRead(Netlist.SnakeCase(memory.Name) + "_out", ram, address, isRegistered: false);
            foreach (var (_, access) in reads) access.Word.Source = n.Resize(port, memory.Width);
        }
        foreach (var (memory, writes) in _writes)
        {
            NoteConflicts(memory, writes);
            if (IsFile(memory)) WriteFile(FileOf(memory), writes);
            else WriteRam(RamOf(memory), writes);
        }
    }

    private static bool IsFile(Memory memory) => memory.Depth * memory.Width <= MostRegisterBits;

    private int WidthOf(Memory memory) => ranges.Of(memory).Width;

    private void Read(MemoryAccess access, Value isActive)
    {
        n.Continue(_section);
        var (memory, word) = (access.Memory, access.Word);
        word.Name = n.Unique(word.Name);
        _section.Items.Add(word);
        if (!written.Contains(memory))
        {
            var ram = RamOf(memory);
            var port = n.AddRead(
                Netlist.SnakeCase(memory.Name) + "_rom", ram, n.Resize(access.Index, ram.AddressWidth), false);
            word.Source = n.Resize(port, memory.Width);
        }
        else if (IsFile(memory))
        {
            var file = FileOf(memory);
            word.Source = n.Resize(
                file.Length == 1 ? file[0] : n.SelectByIndex(file, n.Resize(access.Index, Bits(file.Length))),
                memory.Width);
        }
        else
        {
            if (!_reads.TryGetValue(memory, out var all)) _reads[memory] = all = [];
            all.Add((n.And(isActive, n.ReduceOr(access.Conditions)), access));
        }
    }

    private void CheckReads(Dataflow cycle, List<MemoryAccess> reads)
    {
        for (var i = 0; i < reads.Count; i++)
        {
            var condition = n.ReduceOr(reads[i].Conditions);
            if (!reads.Take(i).Any(r => !Constant.Is(n.And(condition, n.ReduceOr(r.Conditions)), 0))) continue;
            var accesses = cycle.Accesses.Where(a => a.Element == reads[i].Memory && !a.IsWrite).ToList();
            throw Refuse(reads[i].Memory, "read", accesses[Math.Min(i, accesses.Count - 1)].Location);
        }
    }

    private static CompileException Refuse(Memory memory, string what, SourceLocation? location) => new(
        DiagnosticNumber.MemoryPort,
        $"the array {memory.Name} is {what} at two places in one cycle, and a memory has one port for each; put "
        + $"Kiwi.Pause() between them, or make the array at most {MostRegisterBits / memory.Width} long, so that it "
        + "is registers",
        location);

    private Flop[] FileOf(Memory memory)
    {
        if (_files.TryGetValue(memory, out var file)) return file;
        var name = Netlist.SnakeCase(memory.Name);
        file =
        [
            .. memory.Reset.Select((bits, i) =>
                n.AddFlop($"{name}_{i}", WidthOf(memory), bits, $"{memory.Name}[{i}]")),
        ];
        for (var i = 0; i < file.Length; i++) file[i].Next = new Constant(file[i].Width, memory.Reset[i]);
        return _files[memory] = file;
    }

    private Ram RamOf(Memory memory)
    {
        if (_rams.TryGetValue(memory, out var ram)) return ram;
        var depth = Math.Max(2, (int)BitOperations.RoundUpToPowerOf2((uint)memory.Depth));
        UInt128[] initial = [.. memory.Reset, .. Enumerable.Repeat(UInt128.Zero, depth - memory.Depth)];
        return _rams[memory] = n.AddRam(
            Netlist.SnakeCase(memory.Name), WidthOf(memory), depth, initial, memory.Name);
    }

    private void WriteFile(Flop[] file, List<(int Thread, MemoryUpdate Update)> writes)
    {
        for (var i = 0; i < file.Length; i++)
        {
            Value next = file[i], enable = FoldingBuilder.Bit(false);
            foreach (var (_, update) in writes)
            {
                var isHere = n.And(
                    update.Condition, n.Equal(update.Index, new Constant(update.Index.Width, (UInt128)i)));
                next = n.Select(isHere, n.Resize(update.Data, file[i].Width), next);
                enable = n.Or(enable, isHere);
            }
            (file[i].Next, file[i].Enable) = (next, Constant.Is(enable, 1) ? null : enable);
        }
    }

    private void WriteRam(Ram ram, List<(int Thread, MemoryUpdate Update)> writes) => ram.Write = new RamWrite(
        n.SelectOneHot(
            ram.AddressWidth, writes.Select(w => (w.Update.Condition, n.Resize(w.Update.Index, ram.AddressWidth)))),
        n.SelectOneHot(ram.Width, writes.Select(w => (w.Update.Condition, n.Resize(w.Update.Data, ram.Width)))),
        n.ReduceOr(writes.Select(w => w.Update.Condition)));

    /// <summary>
    /// Two threads may write one array, but not one element of it in one cycle; of a memory, one a cycle.
    /// </summary>
    private void NoteConflicts(Memory memory, List<(int Thread, MemoryUpdate Update)> writes)
    {
        for (var i = 0; i < writes.Count; i++)
        {
            foreach (var (_, other) in writes.Take(i).Where(w => w.Thread != writes[i].Thread))
            {
                var both = n.And(other.Condition, writes[i].Update.Condition);
                if (IsFile(memory)) both = n.And(both, n.Equal(other.Index, writes[i].Update.Index));
                Conflicts.Add((memory, both));
            }
        }
    }

    private static int Bits(int count) => Math.Max(1, BitOperations.Log2((uint)count - 1) + 1);
}
