using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation;

/// <summary>
/// Computes values one by one as <see cref="Arithmetic"/> says, from what a simulator holds and the inputs that are
/// set: to look into it.
/// </summary>
internal sealed class Evaluation
{
    private readonly Value[] _values;
    private readonly int[][] _operands;
    private readonly UInt128[] _bits;
    private readonly Dictionary<Value, int> _index = [];

    public Evaluation(IEnumerable<Value> roots)
    {
        var order = new CombinationalOrder();
        foreach (var root in roots) order.Add(root);
        _values = [.. order.Values];
        _bits = new UInt128[_values.Length];
        for (var i = 0; i < _values.Length; i++) _index[_values[i]] = i;
        _operands = [.. _values.Select(v => CombinationalOrder.Operands(v).Select(o => _index[o]).ToArray())];
    }

    /// <summary>The value at the last <see cref="Run"/>.</summary>
    public UInt128 this[Value value] => _bits[_index[value]];

    public void Run(ManagedSimulator simulator)
    {
        for (var i = 0; i < _values.Length; i++)
        {
            _bits[i] = _values[i] switch
            {
                Constant constant => constant.Bits,
                InputBits bits => Field(simulator.Input(bits.Port.Name), bits.Low, bits.Width),
                Wire => Operand(i, 0),
                RamRead { IsRegistered: false } read => simulator[read.Ram, (int)Operand(i, 0)],
                Operation operation => Compute(operation, Operand(i, 0), Operand(i, 1), Operand(i, 2)),
                var element => simulator.StateOf(element),
            };
        }
    }

    /// <summary>Bits of a number of 64-bit words, the lowest first.</summary>
    public static UInt128 Field(ReadOnlySpan<ulong> words, int low, int width)
    {
        UInt128 bits = 0;
        for (var word = Math.Min((low + width - 1) / 64, words.Length - 1); word >= low / 64; word--)
        {
            var position = 64 * word - low;
            bits |= position < 0 ? (UInt128)words[word] >> -position : (UInt128)words[word] << position;
        }
        return bits & Arithmetic.Mask(width);
    }

    private static UInt128 Compute(Operation operation, UInt128 a, UInt128 b, UInt128 c)
    {
        var width = operation.Operands[0].Width;
        return operation.Opcode switch
        {
            Opcode.DivideUnsigned or Opcode.RemainderUnsigned or Opcode.DivideSigned or Opcode.RemainderSigned
                when b == 0 => 0,
            Opcode.DivideSigned => WideArithmetic.DivideSigned(a, b, width) & Arithmetic.Mask(width),
            Opcode.RemainderSigned => WideArithmetic.RemainderSigned(a, b, width) & Arithmetic.Mask(width),
            _ => Arithmetic.Compute(operation, a, b, c),
        };
    }

    private UInt128 Operand(int i, int n) => n < _operands[i].Length ? _bits[_operands[i][n]] : 0;
}
