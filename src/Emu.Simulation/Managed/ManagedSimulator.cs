using System.Text;
using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation;

/// <summary>
/// Simulates a design in this process, compiled to machine code when it is constructed. A quotient or remainder by 0 is
/// 0, also if nothing ever looks at it.
/// </summary>
public sealed class ManagedSimulator : Simulator
{
    private readonly CompiledDesign _compiled;
    private readonly MemoryLayout _layout;
    private readonly DueMethods _due;
    private ulong[] _memory;
    private readonly (int Slot, ulong Word)[] _reset;
    private readonly (ulong[] Words, int Slot)[] _inputs;
    private readonly (ulong[] Words, int Slot)[] _outputs;
    private readonly List<(Display Display, int Enable)> _displayed;
    private readonly (CoreInstance Instance, CoreSimulation Simulation)[] _cores;
    private VcdWriter? _trace;

    /// <summary>For a design, at power-up. The design must not change after.</summary>
    /// <exception cref="InvalidOperationException">
    /// The design breaks an invariant: <see cref="DesignVerifier.Verify"/>.
    /// </exception>
    public ManagedSimulator(Design design) : this(Compiled(design))
    {
    }

    /// <summary>The same with methods of so many steps: for tests.</summary>
    internal ManagedSimulator(Design design, int stepsOfMethod) : this(new CompiledDesign(design, stepsOfMethod))
    {
    }

    private ManagedSimulator(CompiledDesign compiled) : base(compiled.Design)
    {
        (_compiled, _layout, _memory) = (compiled, compiled.Layout, compiled.NewMemory());
        _due = new DueMethods(compiled);
        _reset = [.. compiled.Design.Flops.Where(f => f.Reset is not null).SelectMany(ResetWords)];
        _inputs =
        [
            .. compiled.Design.Inputs.Concat(compiled.Design.Parameters)
                .Select(p => (Input(p.Name), _layout.Port(p.Name))),
        ];
        _cores = [.. compiled.Design.Cores.Select(core => (core, new CoreSimulation(core)))];
        _outputs = [.. compiled.Design.Outputs.Select(p => (Output(p.Name), _layout.Port(p.Name)))];
        _displayed = [.. compiled.Design.Displays.Select(d => (d, compiled.DisplaySlot((Value)d.Enable)))];
        ShowOutputs();
        Printed = compiled.Design.InitialText;
    }

    /// <summary>
    /// The number of a value before the next edge, from the contents of flops and RAMs and the inputs as they are set.
    /// Slow: for tests.
    /// </summary>
    /// <param name="value">Any value of the design.</param>
    public UInt128 this[Value value]
    {
        get
        {
            var evaluation = new Evaluation([value]);
            evaluation.Run(this);
            return evaluation[value];
        }
    }

    /// <summary>A word that a RAM holds.</summary>
    /// <param name="ram">A RAM of the design.</param>
    /// <param name="address">0 to the depth - 1.</param>
    public UInt128 this[Ram ram, int address]
    {
        get
        {
            ArgumentNullException.ThrowIfNull(ram);
            ArgumentOutOfRangeException.ThrowIfNegative(address);
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(address, ram.Depth);
            return Word(_layout.Ram(ram) + address * MemoryLayout.WordsOf(ram.Width), ram.Width);
        }
    }

    /// <summary>Another simulator of the same design, at power-up, without compiling it again.</summary>
    public ManagedSimulator Another() => new(_compiled);

    /// <summary>
    /// Another simulator of the same design, at the cycle at which this one is, with all that it holds; null where
    /// foreign modules hold something, which cannot be copied.
    /// </summary>
    public ManagedSimulator? Fork()
    {
        if (_cores.Length > 0) return null;
        var fork = Another();
        _memory.AsSpan(0, fork._memory.Length).CopyTo(fork._memory);
        fork.TakePortsOf(this);
        return fork;
    }

    /// <summary>
    /// Writes the cycles from now on as a value change dump (IEEE 1364-2005 §18):
    /// ports and all that has a name, 10 ns a cycle.
    /// </summary>
    /// <param name="writer">Stays open.</param>
    public void TraceTo(TextWriter writer)
    {
        _trace = new VcdWriter(_compiled, writer);
        Array.Resize(ref _memory, _layout.Words);
    }

    internal UInt128 StateOf(Value element) => Word(_layout.Slot(element), element.Width);

    /// <inheritdoc/>
    protected override void Edge()
    {
        foreach (var (words, slot) in _inputs)
            for (var i = 0; i < words.Length; i++) _due.Put(_memory, slot + i, words[i]);
        _trace?.Write(_memory, Cycle, IsInReset);
        Printed = IsInReset || _displayed.Count == 0 ? "" : Displayed();
        CallCores();
        _due.Run(_memory);
        _due.Latch(_memory);
        if (IsInReset)
        {
            foreach (var (slot, word) in _reset) _memory[slot] = word;
            _due.MarkAll();
        }
        ShowOutputs();
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _trace?.End(Cycle);
        _trace = null;
        base.Dispose(disposing);
    }

    private static CompiledDesign Compiled(Design design)
    {
        DesignVerifier.Verify(design);
        return new CompiledDesign(design);
    }

    private IEnumerable<(int Slot, ulong Word)> ResetWords(Flop flop) =>
        Enumerable.Range(0, MemoryLayout.WordsOf(flop.Width))
            .Select(i => (_layout.Slot(flop) + i, (ulong)(flop.Reset!.Value >> 64 * i)));

    private UInt128 Word(int slot, int width) => new(width > 64 ? _memory[slot + 1] : 0, _memory[slot]);

    private string Displayed()
    {
        foreach (var steps in _compiled.Displays) steps(ref _memory[0]);
        var text = new StringBuilder();
        foreach (var (display, enable) in _displayed)
            if (_memory[enable] != 0) text.Append(display.Format(Bits));
        return text.ToString();

        UInt128 Bits(IDesignItem item) => Word(_compiled.DisplaySlot((Value)item), ((Value)item).Width);
    }

    /// <summary>Calls cores by the state before the edge: the other steps write RAMs.</summary>
    private void CallCores()
    {
        if (_cores.Length == 0) return;
        foreach (var steps in _compiled.CoreInputs) steps(ref _memory[0]);
        var next = 0;
        foreach (var (instance, simulation) in _cores)
        {
            var inputs = instance.Inputs.Select(i => Word(_compiled.CoreInputSlots[next++], i.Width)).ToList();
            var outputs = simulation.Edge((ulong)Cycle, IsInReset || inputs[1] != 0, inputs[0] != 0, inputs[2..]);
            var slot = _layout.NextSlot(instance);
            _memory[slot] = (ulong)outputs;
            if (instance.Width > 64) _memory[slot + 1] = (ulong)(outputs >> 64);
        }
    }

    private void ShowOutputs()
    {
        foreach (var steps in _compiled.Outputs) steps(ref _memory[0]);
        foreach (var (words, slot) in _outputs) Array.Copy(_memory, slot, words, 0, words.Length);
    }
}
