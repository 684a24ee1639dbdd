namespace Emu.Simulation;

/// <summary>The methods of a cycle that each word is read by.</summary>
internal sealed class MethodActivity
{
    private readonly int[][] _readers;
    private readonly (int Slot, int[] Readers)[][] _kept;
    private readonly (int Flag, int[] Readers)[][] _written;

    /// <param name="methods">The methods, in order.</param>
    /// <param name="layout">The places of what they read.</param>
    /// <param name="flags">
    /// For RAMs, by the offset of their first word, that of a word that is 1 when one is written.
    /// </param>
    public MethodActivity(
        IReadOnlyList<CompiledMethod> methods, MemoryLayout layout, IReadOnlyDictionary<int, int> flags)
    {
        var readers = new Dictionary<int, List<int>>();
        var readersOfRams = new Dictionary<int, List<int>>();
        for (var i = 0; i < methods.Count; i++)
        {
            foreach (var slot in methods[i].Reads) Add(readers, slot, i);
            foreach (var ram in methods[i].RamsRead) Add(readersOfRams, ram, i);
        }
        _readers = [.. Enumerable.Range(0, layout.Next).Select(slot => Of(readers, slot))];
        _kept = [.. methods.Select(method => method.Kept.Select(slot => (slot, Of(readers, slot))).ToArray())];
        _written =
        [
            .. methods.Select(method =>
                method.RamsWritten.Select(ram => (flags[ram], Of(readersOfRams, ram))).ToArray()),
        ];
    }

    /// <summary>The methods that read a word of a port or of state.</summary>
    public int[] ReadersOf(int slot) => _readers[slot];

    /// <summary>The words that a method computes for others, and those.</summary>
    public (int Slot, int[] Readers)[] KeptBy(int method) => _kept[method];

    /// <summary>
    /// For each RAM that a method may write the word that tells whether it has, and those that read it.
    /// </summary>
    public (int Flag, int[] Readers)[] WrittenBy(int method) => _written[method];

    private static void Add(Dictionary<int, List<int>> readers, int slot, int method)
    {
        if (!readers.TryGetValue(slot, out var all)) readers[slot] = all = [];
        all.Add(method);
    }

    private static int[] Of(Dictionary<int, List<int>> readers, int slot) =>
        readers.TryGetValue(slot, out var all) ? [.. all] : [];
}
