using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Dialect;

/// <summary>
/// Makes two of each value that is wider than the numbers of C#, and several memories of one whose words are wider than
/// 32 bits: type legalisation, as compilers for processors do it.
/// </summary>
/// <remarks>
/// KiwiC 0.3.9b multiplies an index into a <c>ulong[]</c> by the size of an element, so no memory has words of 64 bits.
/// </remarks>
/// <param name="bitsOf">Gives the bits that a register, or an element of a memory, ever needs.</param>
internal sealed class WordSplitting(Func<StateElement, int> bitsOf) : FoldingBuilder
{
    /// <summary>The bits of the widest number.</summary>
    public const int WordBits = 64;

    /// <summary>The bits of the widest word of a memory.</summary>
    public const int MemoryBits = 32;

    private const int MaxWidth = Value.MaxWidth;

    private readonly Dictionary<Value, (Value Low, Value High)> _split = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<StateElement, List<StateElement>> _parts = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<StateElement, int> _needed = new(ReferenceEqualityComparer.Instance);
    private readonly Substitution _known = new();
    private List<Operation> _operations = [];

    /// <summary>Splits the values of a function.</summary>
    /// <exception cref="CompileException">An operation on wide values has no form on narrow ones.</exception>
    public void Run(Function function)
    {
        FrameAccess.Run(function, WordBits / 8);
        var blocks = function.Blocks();
        FindNeeded([.. blocks.SelectMany(block => block.Operations).Where(IsAccess)]);
        foreach (var phi in blocks.SelectMany(block => block.Phis.ToList()).Where(IsWide)) Split(phi);
        foreach (var block in blocks) Run(block);
        foreach (var (value, (low, high)) in _split.ToList())
        {
            if (value is not Phi phi) continue;
            ((Phi)low).Operands.AddRange(phi.Operands.Select(operand => Part(operand, 0, WordBits)));
            ((Phi)high).Operands.AddRange(phi.Operands.Select(operand => Part(operand, WordBits, high.Width)));
            phi.Block.Phis.Remove(phi);
        }
        _known.Apply(function);
        DeadCode.Run(function);
    }

    /// <inheritdoc/>
    protected override Value Intern(Operation operation)
    {
        _operations.Add(operation);
        return operation;
    }

    private static bool IsWide(Value value) => value.Width > WordBits;

    private static bool IsAccess(Operation operation) => operation.Opcode
        is Opcode.MemoryRead or Opcode.MemoryWrite or Opcode.RegisterRead or Opcode.RegisterWrite;

    /// <summary>Finds the bits that elements need; those among which a selector chooses are alike.</summary>
    private void FindNeeded(IReadOnlyList<Operation> accesses)
    {
        for (var changed = true; changed;)
        {
            changed = false;
            foreach (var access in accesses)
            {
                var most = access.State.Max(element => _needed.GetValueOrDefault(element, bitsOf(element)));
                foreach (var element in access.State)
                {
                    changed |= _needed.GetValueOrDefault(element) != most;
                    _needed[element] = most;
                }
            }
        }
    }

    private void Split(Phi phi)
    {
        var (low, high) = (new Phi(WordBits, phi.Block), new Phi(phi.Width - WordBits, phi.Block));
        phi.Block.Phis.AddRange([low, high]);
        _split[phi] = (low, high);
    }

    private void Run(Block block)
    {
        _operations = [];
        foreach (var operation in block.Operations)
        {
            Location = operation.Location;
            for (var i = 0; i < operation.Operands.Count; i++) operation.Operands[i] = _known.Of(operation.Operands[i]);
            if (IsAccess(operation)) Access(operation);
            else if (IsWide(operation)) _split[operation] = InTwo(operation);
            else if (operation.Operands.Exists(IsWide)) _known.Add(operation, InOne(operation));
            else _operations.Add(operation);
        }
        block.Operations.Clear();
        block.Operations.AddRange(_operations);
    }

    /// <summary>Bits of a value, 64 at most.</summary>
    private Value Part(Value value, int at, int width)
    {
        value = _known.Of(value);
        if (value is Constant constant) return new Constant(width, constant.Bits >> at);
        if (!IsWide(value)) return Extract(value, at, width);
        var (low, high) = _split[value];
        if (at >= WordBits) return Extract(high, at - WordBits, width);
        return at + width <= WordBits
            ? Extract(low, at, width)
            : Concat(Extract(high, 0, at + width - WordBits), Extract(low, at, WordBits - at));
    }

    /// <summary>Bits of one value above another.</summary>
    private Value PartOfBoth(Value high, Value low, int at, int width)
    {
        if (at >= low.Width) return Part(high, at - low.Width, width);
        return at + width <= low.Width
            ? Part(low, at, width)
            : Concat(Part(high, 0, at + width - low.Width), Part(low, at, low.Width - at));
    }

    private (Value Low, Value High) InTwo(Operation operation)
    {
        var (o, above) = (operation.Operands, operation.Width - WordBits);
        (Value, Value) Each(Func<int, int, Value> part) => (part(0, WordBits), part(WordBits, above));
        switch (operation.Opcode)
        {
            case Opcode.Concat:
                return Each((at, width) => PartOfBoth(o[0], o[1], at, width));
            case Opcode.ZeroExtend:
                return Each((at, width) => PartOfBoth(Zero(MaxWidth), o[0], at, width));
            case Opcode.Truncate or Opcode.Extract:
                return Each((at, width) => Part(o[0], operation.Low + at, width));
            case Opcode.And or Opcode.Or or Opcode.Xor:
                return Each((at, width) =>
                    Make(operation.Opcode, width, Part(o[0], at, width), Part(o[1], at, width)));
            case Opcode.Select:
                return Each((at, width) => Select(o[0], Part(o[1], at, width), Part(o[2], at, width)));
            case Opcode.Add or Opcode.Subtract:
                var (a, b) = (Part(o[0], 0, WordBits), Part(o[1], 0, WordBits));
                var low = Make(operation.Opcode, WordBits, a, b);
                var carry = Resize(operation.Opcode == Opcode.Add ? Less(low, a) : Less(a, b), above);
                var high = Make(operation.Opcode, above, Part(o[0], WordBits, above), Part(o[1], WordBits, above));
                return (low, Make(operation.Opcode, above, high, carry));
            default:
                throw Refused(operation);
        }
    }

    private Value InOne(Operation operation)
    {
        var o = operation.Operands;
        (Value Low, Value High) Of(Value value) =>
            (Part(value, 0, WordBits), Part(value, WordBits, value.Width - WordBits));
        switch (operation.Opcode)
        {
            case Opcode.Truncate or Opcode.Extract:
                return Part(o[0], operation.Low, operation.Width);
            case Opcode.Equal:
                var ((a, above), (b, other)) = (Of(o[0]), Of(o[1]));
                return And(Equal(above, other), Equal(a, b));
            case Opcode.LessUnsigned:
                var ((low, high), (lowOther, highOther)) = (Of(o[0]), Of(o[1]));
                return Or(Less(high, highOther), And(Equal(high, highOther), Less(low, lowOther)));
            case Opcode.PopCount:
                var (one, two) = Of(o[0]);
                return Add(
                    Make(Opcode.PopCount, operation.Width, one), Make(Opcode.PopCount, operation.Width, two));
            case Opcode.OnesSum:
                var (words, more) = Of(o[0]);
                return Make(
                    Opcode.OnesSum, 16, Concat(Make(Opcode.OnesSum, 16, more), Make(Opcode.OnesSum, 16, words)));
            default:
                throw Refused(operation);
        }
    }

    private void Access(Operation access)
    {
        var isMemory = access.Opcode is Opcode.MemoryRead or Opcode.MemoryWrite;
        var bits = isMemory ? MemoryBits : WordBits;
        var (width, needed) = (access.State[0].Width, _needed[access.State[0]]);
        if (width <= bits && needed == width)
        {
            _operations.Add(access);
            return;
        }
        var pieces = new List<Value>();
        for (var at = 0; at < needed; at += bits)
        {
            List<StateElement> state = [.. access.State.Select(element => PartsOf(element, needed)[at / bits])];
            List<Value> operands = [.. access.Operands];
            var data = access.Opcode switch
            {
                Opcode.RegisterWrite => 0,
                Opcode.MemoryWrite => 1,
                _ => -1,
            };
            if (data >= 0) operands[data] = Part(operands[data], at, state[0].Width);
            var piece = new Operation(access.Opcode, data >= 0 ? 1 : state[0].Width, operands)
            {
                State = state,
                Location = access.Location,
            };
            _operations.Add(piece);
            pieces.Add(piece);
        }
        if (access.IsEffect) return;
        if (needed < width) pieces.AddRange(Zeros(needed, width));
        if (!IsWide(access)) _known.Add(access, pieces.Aggregate((low, high) => Concat(high, low)));
        else
        {
            Value Joined(IEnumerable<Value> parts) => parts.Aggregate((low, high) => Concat(high, low));
            var (inWord, bitsSoFar) = (0, 0);
            while (bitsSoFar < WordBits) bitsSoFar += pieces[inWord++].Width;
            _split[access] = (Joined(pieces.Take(inWord)), Joined(pieces.Skip(inWord)));
        }
    }

    /// <summary>Zeros up to a width, none of which lies in two words.</summary>
    private static IEnumerable<Value> Zeros(int from, int to)
    {
        if (from < WordBits && to > WordBits) return [Zero(WordBits - from), Zero(to - WordBits)];
        return [Zero(to - from)];
    }

    private List<StateElement> PartsOf(StateElement element, int needed)
    {
        if (_parts.TryGetValue(element, out var known)) return known;
        var bits = element is Memory ? MemoryBits : WordBits;
        var parts = new List<StateElement>();
        for (var at = 0; at < needed; at += bits)
        {
            var width = Math.Min(bits, needed - at);
            var name = width == needed ? element.Name : $"{element.Name}.{at}";
            parts.Add(element is Memory memory
                ? new Memory(name, width, [.. memory.Reset.Select(word => word >> at)])
                : new Register(name, width, ((Register)element).Reset >> at));
        }
        return _parts[element] = parts;
    }

    private static CompileException Refused(Operation operation) => new(
        DiagnosticNumber.Dialect,
        $"{operation.Opcode} of {Math.Max(operation.Width, operation.Operands.Max(o => o.Width))} bits has no form in "
        + "the numbers of Kiwi's dialect; use numbers of 64 bits",
        operation.Location);
}
