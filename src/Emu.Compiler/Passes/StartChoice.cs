using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Enters a loop that goes over a small array from a computed place on by one way for each place, so that constants
/// decide each turn and it is written out: an entry of a sorted array moves up to where it belongs (a value of few
/// numbers becomes static by a case for each, "the trick" of partial evaluation; Jones, Gomard and Sestoft 1993,
/// §4.8.3).
/// </summary>
/// <remarks>
/// Ways that have come to the same place go on together, so there is one turn for each place, whatever the ways are.
/// </remarks>
internal sealed class StartChoice
{
    /// <summary>The most places at which a loop may begin.</summary>
    private const int MostStarts = 8;

    /// <summary>The most places that a loop may come to.</summary>
    private const int MostTurns = 16;

    private readonly PathRanges _facts;
    private readonly Dominators _dominators;

    private StartChoice(Compilation compilation)
    {
        _facts = compilation.PathRangesOf(compilation.Process);
        _dominators = new Dominators(compilation.Process);
    }

    /// <summary>Writes out loops over small arrays that begin at a computed place.</summary>
    /// <param name="compilation">The service; what it does with a frame is changed.</param>
    /// <param name="isTaken">True of a loop that may be written out.</param>
    /// <returns>True if there were any.</returns>
    public static bool Run(Compilation compilation, Predicate<Loop> isTaken)
    {
        var function = compilation.Process;
        var choice = new StartChoice(compilation);
        var begins = Loop.All(function).FindAll(isTaken).Select(choice.BeginOf).OfType<Begin>().ToList();
        if (begins.Count == 0) return false;
        foreach (var begin in begins) Part(begin);
        Verifier.Verify(function, "loops begin at constants");
        Unrolling.Run(
            function, ConstantState.Written(compilation.Functions), mayGoOn: false, new KeptLoops());
        return true;
    }

    /// <summary>The value that says where a loop is in the array, with where it may begin; null for none.</summary>
    private Begin? BeginOf(Loop loop) => loop.Header.Phis.Select(phi => BeginOf(loop, phi)).FirstOrDefault(
        begin => begin is not null);

    private Begin? BeginOf(Loop loop, Phi place)
    {
        if (!IsIndex(loop, place)) return null;
        var header = loop.Header;
        var ways = header.Predecessors.Index().ToLookup(way => loop.Body.Contains(way.Item));
        if (ways[true].Select(way => place.Operands[way.Index]).Distinct().ToList() is not [var next]) return null;
        var first = ways[false].Select(way => _facts.On(way.Item, header, place.Operands[way.Index]))
            .Aggregate((a, b) => a.Join(b));
        if (first.Min == first.Max || first.Max - first.Min >= MostStarts || !IsOf(next, place)) return null;
        return loop.Body.Any(block => IsEnd(loop, block, place, out var isLeft)
            && ComesTo(first, place, next, isLeft) <= MostTurns)
            ? new Begin(loop, place, first)
            : null;
    }

    /// <summary>True if a loop accesses small arrays, all of them at places that one says.</summary>
    private static bool IsIndex(Loop loop, Phi place)
    {
        var accesses = loop.Body.SelectMany(block => block.Operations)
            .Where(operation => operation.State is [Memory, ..]).ToList();
        return accesses.Exists(access => access.Opcode == Opcode.MemoryWrite) && accesses.TrueForAll(access =>
            access.State is [Memory memory] && ScalarReplacement.IsSmall(memory)
            && access.Opcode is Opcode.MemoryRead or Opcode.MemoryWrite && IsOf(access.Operands[0], place));
    }

    /// <summary>True if a value is computed of another and of constants alone.</summary>
    private static bool IsOf(Value value, Phi place) =>
        value is Constant || value == place || value is Operation { ReadsState: false } operation
            && operation.Opcode != Opcode.Input && operation.Operands.TrueForAll(operand => IsOf(operand, place));

    /// <summary>True if each turn comes to a block that leaves the loop by what the place says alone.</summary>
    private bool IsEnd(Loop loop, Block block, Phi place, out Func<UInt128, bool> isLeft)
    {
        isLeft = _ => false;
        if (block.Terminator is not Branch branch || !IsOf(branch.Condition, place)) return false;
        var staysIf = loop.Body.Contains(branch.Then);
        if (staysIf == loop.Body.Contains(branch.Else)
            || !loop.Header.Predecessors.FindAll(loop.Body.Contains)
                .TrueForAll(from => _dominators.Dominates(block, from)))
            return false;
        isLeft = number => (NumberOf(branch.Condition, place, number) != 0) != staysIf;
        return true;
    }

    /// <summary>The number of places that a loop comes to.</summary>
    private static int ComesTo(Interval first, Phi place, Value next, Func<UInt128, bool> isLeft)
    {
        var seen = new HashSet<UInt128>();
        for (var begin = first.Min; begin <= first.Max; begin++)
        {
            for (var at = begin; seen.Add(at) && !isLeft(at); at = NumberOf(next, place, at))
                if (seen.Count > MostTurns) return seen.Count;
        }
        return seen.Count;
    }

    private static UInt128 NumberOf(Value value, Phi place, UInt128 number)
    {
        if (value is Constant constant) return constant.Bits;
        if (value == place) return number;
        var operation = (Operation)value;
        UInt128 Of(int operand) =>
            operand < operation.Operands.Count ? NumberOf(operation.Operands[operand], place, number) : 0;
        return Arithmetic.Compute(operation, Of(0), Of(1), Of(2));
    }

    /// <summary>Gives the loop's header a way for each number.</summary>
    private static void Part(Begin begin)
    {
        var (header, place) = (begin.Loop.Header, begin.Place);
        var at = Edges.Join(header, from => !begin.Loop.Body.Contains(from));
        var way = header.Predecessors.IndexOf(at);
        var operands = header.Phis.ConvertAll(phi => phi.Operands[way]);
        var first = operands[header.Phis.IndexOf(place)];
        Edges.Remove(at, header);
        for (var number = begin.First.Min; ; number++)
        {
            var entry = new Block { Terminator = new Jump(header) };
            var known = new Constant(place.Width, number);
            header.Predecessors.Add(entry);
            foreach (var (phi, operand) in header.Phis.Zip(operands))
                phi.Operands.Add(phi == place ? known : operand);
            entry.Predecessors.Add(at);
            if (number == begin.First.Max)
            {
                at.Terminator = new Jump(entry);
                return;
            }
            var isIt = new Operation(Opcode.Equal, 1, first, known);
            at.Operations.Add(isIt);
            var other = new Block();
            other.Predecessors.Add(at);
            at.Terminator = new Branch(isIt, entry, other);
            at = other;
        }
    }

    /// <summary>A loop, its place in the array, and the numbers that this may be in front of it.</summary>
    private sealed record Begin(Loop Loop, Phi Place, Interval First);
}
