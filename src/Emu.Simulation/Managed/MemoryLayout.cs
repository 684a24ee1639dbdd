using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation;

/// <summary>
/// The places of all parts of a simulated design in one array of 64-bit words.
/// A value of more than 64 bits has two, the low one first.
/// </summary>
internal sealed class MemoryLayout
{
    private readonly Dictionary<string, int> _ports = [];
    private readonly Dictionary<Value, int> _state = [];
    private readonly Dictionary<Ram, int> _rams = [];
    private readonly Dictionary<Ram, int> _flags = [];
    private readonly Dictionary<Value, int> _kept = [];

    public MemoryLayout(Design design)
    {
        foreach (var port in design.Inputs.Concat(design.Parameters)) _ports[port.Name] = Take((port.Width + 63) / 64);
        foreach (var port in design.Outputs) _ports[port.Name] = Take((port.Width + 63) / 64);
        var elements =
            design.Flops.Concat<Value>(design.Rams.SelectMany(r => r.Reads).Where(r => r.IsRegistered))
                .Concat(design.Cores).ToList();
        State = Words;
        foreach (var element in elements) _state[element] = Take(WordsOf(element.Width));
        Next = Words;
        Take(Next - State);
        foreach (var ram in design.Rams)
        {
            _rams[ram] = Take(ram.Depth * WordsOf(ram.Width));
            _flags[ram] = Take(1);
        }
    }

    /// <summary>The number of words in all.</summary>
    public int Words { get; private set; }

    /// <summary>The offset of the first flop or registered read port.</summary>
    public int State { get; }

    /// <summary>
    /// The offset, in the same order, of their contents after the edge; also the end of <see cref="State"/>.
    /// </summary>
    public int Next { get; }

    public static int WordsOf(int width) => width > 64 ? 2 : 1;

    public int Port(string name) => _ports[name];

    public int Ram(Ram ram) => _rams[ram];

    /// <summary>The offset of a word that is 1 from when a RAM was written until somebody has seen that.</summary>
    public int WrittenFlag(Ram ram) => _flags[ram];

    /// <summary>The offset of a value: state, or a value that one method computes for another.</summary>
    public int Slot(Value value) => _state.TryGetValue(value, out var slot) ? slot : _kept[value];

    public int NextSlot(Value element) => _state[element] - State + Next;

    public bool IsKept(Value value) => _kept.ContainsKey(value);

    /// <summary>Gives a computed value a place.</summary>
    public void Keep(Value value)
    {
        if (!_kept.ContainsKey(value)) _kept[value] = Take(WordsOf(value.Width));
    }

    /// <summary>Makes room; gives where it is.</summary>
    public int Take(int words)
    {
        var first = Words;
        Words = checked(Words + words);
        return first;
    }
}
