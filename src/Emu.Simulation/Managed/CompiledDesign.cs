using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation;

/// <summary>A piece of compiled code.</summary>
/// <param name="memory">The first word of what <see cref="MemoryLayout"/> lays out.</param>
internal delegate void CompiledSteps(ref ulong memory);

/// <summary>A design as machine code: one cycle is a sequence of straight-line methods over one array.</summary>
internal sealed class CompiledDesign
{
    // The JIT compiler keeps a few hundred variables in registers well,
    // and gives up optimising when there are some thousands.
    private const int MostStepsOfMethod = 250;

    private readonly int _stepsOfMethod;
    private readonly ulong[] _powerUp;
    private readonly Dictionary<Value, int> _displaySlots = new(ReferenceEqualityComparer.Instance);

    /// <summary>Compiles a design.</summary>
    /// <param name="design">The design.</param>
    /// <param name="stepsOfMethod">The steps of one method.</param>
    public CompiledDesign(Design design, int stepsOfMethod = MostStepsOfMethod)
    {
        (Design, _stepsOfMethod) = (design, stepsOfMethod);
        Layout = new MemoryLayout(design);
        var (next, show) = (Next(design), Shown(design.Outputs.Select(port => (port.Parts, Layout.Port(port.Name)))));
        KeepShared(next);
        KeepShared(show);
        NextState = Methods("next", next);
        Activity = new MethodActivity(
            NextState, Layout, design.Rams.ToDictionary(Layout.Ram, Layout.WrittenFlag));
        Outputs = Compile("outputs", show);
        Value[] displayed =
        [
            .. design.Displays.SelectMany(d => d.Values.Prepend(d.Enable)).Cast<Value>().Distinct(),
        ];
        Displays = Show(displayed.Select(value => (IReadOnlyList<Value>)[value]), out var slots);
        foreach (var (value, slot) in displayed.Zip(slots)) _displaySlots[value] = slot;
        CoreInputs = Show(
            design.Cores.SelectMany(core => core.Inputs).Select(input => (Value[])[input]), out var coreSlots);
        CoreInputSlots = coreSlots;
        _powerUp = PowerUp();
    }

    public Design Design { get; }

    public MemoryLayout Layout { get; }

    /// <summary>Computes, from inputs and state, the state after the edge and the contents of RAMs.</summary>
    public CompiledMethod[] NextState { get; }

    /// <summary>The methods of <see cref="NextState"/> that read what has changed.</summary>
    public MethodActivity Activity { get; }

    /// <summary>Computes the outputs from the state.</summary>
    public CompiledSteps[] Outputs { get; }

    /// <summary>Computes, from inputs and state, the values of what is printed.</summary>
    public CompiledSteps[] Displays { get; }

    /// <summary>The offset of a value of what is printed.</summary>
    public int DisplaySlot(Value value) => _displaySlots[value];

    /// <summary>Shows what goes into cores, at the offsets of <see cref="CoreInputSlots"/>.</summary>
    public CompiledSteps[] CoreInputs { get; }

    /// <summary>The offsets of the inputs of all cores, one core behind the other.</summary>
    public IReadOnlyList<int> CoreInputSlots { get; }

    /// <summary>The memory at power-up.</summary>
    public ulong[] NewMemory() => [.. _powerUp];

    private static List<Step> Next(Design design)
    {
        var order = new CombinationalOrder();
        var steps = new List<Step>();
        foreach (var flop in design.Flops)
        {
            AddDefinitions(order, steps, flop.Next, flop.Enable, flop.Clear);
            steps.Add(new Latch(flop, flop.Next, flop.Enable, flop.Clear));
        }
        foreach (var read in design.Rams.SelectMany(r => r.Reads).Where(r => r.IsRegistered))
        {
            AddDefinitions(order, steps, read.Address, read.Enable);
            steps.Add(new Latch(read, read.Address, read.Enable, null));
        }
        // Every word is read before any is written.
        var written = design.Rams.Where(r => r.Write is not null).ToList();
        foreach (var ram in written) AddDefinitions(order, steps, ram.Write!.Address, ram.Write.Data, ram.Write.Enable);
        foreach (var ram in written) steps.Add(new Store(ram, ram.Write!));
        return steps;
    }

    private static void AddDefinitions(CombinationalOrder order, List<Step> steps, params IEnumerable<Value?> roots)
    {
        var from = order.Values.Count;
        foreach (var root in roots) if (root is not null) order.Add(root);
        for (var i = from; i < order.Values.Count; i++)
            if (order.Values[i] is Operation or RamRead { IsRegistered: false }) steps.Add(new Define(order.Values[i]));
    }

    /// <summary>
    /// Code that shows signals, of inputs and state, in words behind all that there was in memory before.
    /// </summary>
    /// <param name="signals">The signals, each as its parts, the lowest first.</param>
    /// <param name="slots">The offsets of the words of each signal.</param>
    public CompiledSteps[] Show(IEnumerable<IReadOnlyList<Value>> signals, out List<int> slots)
    {
        var places =
            signals.Select(parts => (Parts: parts, Slot: Layout.Take((parts.Sum(p => p.Width) + 63) / 64))).ToList();
        slots = [.. places.Select(p => p.Slot)];
        var steps = Shown(places);
        KeepShared(steps);
        return Compile("signals", steps);
    }

    private static List<Step> Shown(IEnumerable<(IReadOnlyList<Value> Parts, int Slot)> places)
    {
        var order = new CombinationalOrder();
        var steps = new List<Step>();
        foreach (var (parts, slot) in places)
        {
            var words = Words(parts);
            for (var i = 0; i < words.Count; i++)
            {
                AddDefinitions(order, steps, words[i]);
                steps.Add(new Show(words[i], slot + i));
            }
        }
        return steps;
    }

    private static List<Value> Words(IReadOnlyList<Value> parts)
    {
        var words = new List<Value>();
        Value? word = null;
        foreach (var part in parts)
        {
            for (var low = 0; low < part.Width;)
            {
                var width = Math.Min(part.Width - low, 64 - (word?.Width ?? 0));
                var piece = width == part.Width ? part : new Operation(Opcode.Extract, width, part) { Low = low };
                word = word is null ? piece : new Operation(Opcode.Concat, word.Width + width, piece, word);
                low += width;
                if (word.Width < 64) continue;
                words.Add(word);
                word = null;
            }
        }
        if (word is not null) words.Add(word);
        return words;
    }

    private void KeepShared(List<Step> steps)
    {
        var definedIn = new Dictionary<Value, int>();
        for (var i = 0; i < steps.Count; i++)
            if (steps[i] is Define define) definedIn[define.Value] = i / _stepsOfMethod;
        for (var i = 0; i < steps.Count; i++)
            foreach (var used in steps[i].Uses)
                if (definedIn.TryGetValue(used, out var method) && method != i / _stepsOfMethod) Layout.Keep(used);
    }

    private CompiledSteps[] Compile(string name, List<Step> steps) =>
        [.. Methods(name, steps).Select(method => method.Run)];

    private CompiledMethod[] Methods(string name, List<Step> steps) =>
        [.. steps.Chunk(_stepsOfMethod)
            .Select((chunk, i) => new StepEmitter($"{Design.Name}.{name}{i}", Layout).Compile(chunk))];

    private ulong[] PowerUp()
    {
        var memory = new ulong[Layout.Words];
        foreach (var flop in Design.Flops) Put(memory, Layout.Slot(flop), flop.Width, flop.Reset ?? 0);
        foreach (var ram in Design.Rams)
            for (var i = 0; i < (ram.Initial?.Count ?? 0); i++)
                Put(memory, Layout.Ram(ram) + i * MemoryLayout.WordsOf(ram.Width), ram.Width, ram.Initial![i]);
        return memory;
    }

    private static void Put(ulong[] memory, int slot, int width, UInt128 bits)
    {
        memory[slot] = (ulong)bits;
        if (width > 64) memory[slot + 1] = (ulong)(bits >> 64);
    }
}
