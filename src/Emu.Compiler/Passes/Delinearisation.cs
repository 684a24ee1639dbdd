using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Makes an array for each column of an array of rows whose indices all say the column (delinearization, Maslov 1992;
/// cyclic partitioning in high-level synthesis): slots of some bytes in one array, of which a frame reads or writes
/// several bytes, each at a place in the slot that is known. Where what is deferred to a slow path does not say the
/// column, it chooses among the arrays.
/// </summary>
internal sealed class Delinearisation : FoldingBuilder
{
    /// <summary>The bits of the columns that are used, which a frame may read and write all at once.</summary>
    private const int MostBits = 1024;

    private readonly Ranges _ranges;
    private readonly Dictionary<Memory, int> _columns;
    private List<Operation> _operations = [];

    private Delinearisation(Ranges ranges, Dictionary<Memory, int> columns) => (_ranges, _columns) = (ranges, columns);

    /// <summary>Takes apart the arrays for which that can be done.</summary>
    public static void Run(Compilation compilation)
    {
        var ranges = compilation.Ranges();
        var columns = Columns(compilation, ranges);
        if (columns.Count == 0) return;
        foreach (var (memory, count) in columns) memory.BecomeBanks(count);
        var pass = new Delinearisation(ranges, columns);
        foreach (var function in compilation.Functions) pass.Rewrite(function);
    }

    /// <inheritdoc />
    protected override Value Intern(Operation operation)
    {
        _operations.Add(operation);
        return operation;
    }

    /// <summary>The arrays that are taken apart, with the number of their columns.</summary>
    private static Dictionary<Memory, int> Columns(Compilation compilation, Ranges ranges)
    {
        var accesses = compilation.Functions.SelectMany(function => function.Blocks())
            .SelectMany(block => block.Operations).Where(operation => operation.State is [Memory, ..]).ToList();
        // Selected by a value, read turn by turn, or looked at from outside, it has to be one.
        var others = accesses.Where(access => access.State.Count > 1
                || access.Opcode is not (Opcode.MemoryRead or Opcode.MemoryWrite))
            .SelectMany(access => access.State).Cast<Memory>().ToHashSet();
        others.UnionWith(compilation.State.ControlColumns(accesses.SelectMany(a => a.State).Cast<Memory>().ToHashSet())
            .SelectMany(column => column.Memories));
        var written = ConstantState.Written(compilation.Functions);
        var deferred = Deferred(compilation.Process);
        return accesses.GroupBy(access => (Memory)access.State[0])
            .Where(known => written.Contains(known.Key) && !others.Contains(known.Key))
            .Select(known => (known.Key, Count: ColumnsOf(known.Key, [.. known], deferred, ranges)))
            .Where(known => known.Count > 1)
            .ToDictionary(known => known.Key, known => known.Count);
    }

    /// <summary>The accesses behind side exits.</summary>
    private static HashSet<Operation> Deferred(Function function)
    {
        var fast = PathDivision.FastBlocks(function).ToHashSet();
        return [.. function.Blocks().Where(block => !fast.Contains(block)).SelectMany(block => block.Operations)];
    }

    /// <summary>
    /// The columns of an array: 1 if it has to be one. What is deferred may have any index where its bits are those of
    /// the row and of the column.
    /// </summary>
    private static int ColumnsOf(
        Memory memory, List<Operation> accesses, HashSet<Operation> deferred, Ranges ranges)
    {
        var count = ColumnsOf(memory, accesses, ranges);
        if (count > 1 || !accesses.Exists(deferred.Contains)) return count;
        count = ColumnsOf(memory, accesses.FindAll(access => !deferred.Contains(access)), ranges);
        return BitOperations.IsPow2(count) && memory.Depth % count == 0 ? count : 1;
    }

    private static int ColumnsOf(Memory memory, List<Operation> accesses, Ranges ranges)
    {
        var forms = accesses.ConvertAll(access => IndexOf(access, ranges));
        // An array at constant indices alone becomes registers.
        var scales = forms.Where(form => form.Base is not Constant).Select(form => form.Scale).ToList();
        if (scales.Count == 0) return 1;
        var count = scales.Aggregate(Arithmetic.GreatestCommonDivisor);
        if (count > (UInt128)memory.Depth) return 1;
        var used = forms.Select(form => form.Offset % count).Distinct().Count();
        return used > 1 && used * memory.Width <= MostBits ? (int)count : 1;
    }

    private static AffineForm IndexOf(Operation access, Ranges ranges) => access.Operands[0] is Constant index
        ? new AffineForm(Zero(index.Width), 0, index.Bits)
        : AffineForm.Of(access.Operands[0], ranges);

    private void Rewrite(Function function)
    {
        var known = new Substitution();
        foreach (var block in function.Blocks())
        {
            _operations = [];
            foreach (var operation in block.Operations)
            {
                var access = InColumn(operation);
                _operations.Add(access);
                if (access != operation) known.Add(operation, access);
            }
            block.Operations.Clear();
            block.Operations.AddRange(_operations);
        }
        known.Apply(function);
    }

    /// <summary>An access to the column of an array that is taken apart; others as they are.</summary>
    private Operation InColumn(Operation access)
    {
        if (access.State is not [Memory memory] || !_columns.TryGetValue(memory, out var count)) return access;
        Location = access.Location;
        if (IndexOf(access, _ranges).Scale % (UInt128)count != 0) return Chosen(access, memory.Banks!);
        var (row, column) = Place(access, (UInt128)count);
        return new Operation(access.Opcode, access.Width, [row, .. access.Operands.Skip(1)])
        {
            State = [memory.Banks![column]],
            Location = access.Location,
        };
    }

    /// <summary>An access whose index has the column in its low bits, and the row in the others.</summary>
    private Operation Chosen(Operation access, IReadOnlyList<Memory> banks)
    {
        var bits = BitOperations.Log2((uint)banks.Count);
        var index = Resize(access.Operands[0], Math.Max(access.Operands[0].Width, bits + 1));
        var row = Resize(Extract(index, bits, index.Width - bits), index.Width);
        return new Operation(access.Opcode, access.Width, [row, .. access.Operands.Skip(1), Extract(index, 0, bits)])
        {
            State = [.. banks],
            Location = access.Location,
        };
    }

    /// <summary>The row and the column of an access: its index is so many times the row, plus the column.</summary>
    private (Value Row, int Column) Place(Operation access, UInt128 count)
    {
        var (width, form) = (access.Operands[0].Width, IndexOf(access, _ranges));
        var times = Resize(form.Base, Math.Max(width, form.Base.Width));
        var rows = Make(Opcode.Multiply, times.Width, times, new Constant(times.Width, form.Scale / count));
        var row = Add(rows, new Constant(times.Width, form.Offset / count));
        return (Resize(row, width), (int)(form.Offset % count));
    }
}
