using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Verilog;

/// <summary>
/// The declarations of a module: everything before its first use,
/// if need be at the head of an earlier section than its own.
/// </summary>
internal sealed class VerilogScope
{
    private readonly VerilogNames _names;
    private readonly Dictionary<string, VerilogSignal> _inputs = new(StringComparer.Ordinal);
    private readonly Dictionary<IDesignItem, VerilogSlice> _items = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<VerilogSignal, VerilogVector> _vectors = [];
    private readonly Dictionary<Ram, string> _rams = [];
    private readonly Dictionary<CoreInstance, IReadOnlyList<string>> _pins = [];
    private readonly Dictionary<IDesignItem, int> _sections = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<object> _declared = new(ReferenceEqualityComparer.Instance);
    private readonly List<VerilogSignal> _all = [];
    private readonly List<VerilogDeclaration> _earlier = [];
    private readonly FlopChains _chains;
    private int _section;

    public VerilogScope(Design design, VerilogNames names)
    {
        _names = names;
        _chains = new FlopChains(design);
        foreach (var input in design.Inputs)
            _inputs[input.Name] = Add(new VerilogSignal(names.Take(input.Name), input.Width));
        foreach (var parameter in design.Parameters)
        {
            Parameters.Add(names.Take(parameter.Name));
            _inputs[parameter.Name] = Add(new VerilogSignal(names.Derive(parameter.Name, "_number"), parameter.Width));
        }
        Outputs = [.. design.Outputs.Select(o => names.Take(o.Name))];
        foreach (var core in design.Cores)
            _pins[core] = [.. core.Core.Pins.Select(pin => names.Take($"{core.Name}_{pin.Name}"))];
        for (var section = 0; section < design.Sections.Count; section++) Add(design.Sections[section], section);
    }

    /// <summary>The names of the parameters, in order.</summary>
    public List<string> Parameters { get; } = [];

    /// <summary>The names of the outputs, in order.</summary>
    public IReadOnlyList<string> Outputs { get; }

    /// <summary>The names of the pins of a module that stands for a method.</summary>
    public IReadOnlyList<string> PinsOf(CoreInstance core) => _pins[core];

    /// <summary>The vectors that have bits which nothing reads, as expressions.</summary>
    public IEnumerable<string> Unread =>
        _all.SelectMany(s => s.Unread()).Concat(_rams.Where(r => r.Key.Reads.Count == 0).Select(r => $"{r.Value}[0]"));

    /// <summary>Begins a section; what it uses of later ones is declared in it.</summary>
    public void Begin(int section)
    {
        _section = section;
        _earlier.Clear();
    }

    /// <summary>The declarations of what the section uses of later ones.</summary>
    public IReadOnlyList<VerilogDeclaration> Earlier => _earlier;

    /// <summary>The vector of an item that is read, or the part of one that it is.</summary>
    /// <exception cref="InvalidOperationException">It is in no section.</exception>
    public VerilogSlice this[IDesignItem item]
    {
        get
        {
            if (!_items.TryGetValue(item, out var slice))
                throw new InvalidOperationException($"{item.Name} is used and in no section");
            if (SectionOf(item) > _section && Declare(item)) _earlier.Add(Declaration(item));
            return slice;
        }
    }

    /// <summary>The vector of flops that a flop is the first of, or all of; null for the others.</summary>
    public VerilogVector? VectorOf(Flop flop) =>
        _vectors[_items[flop].Signal] is var vector && vector.First == flop ? vector : null;

    /// <summary>The name of a RAM.</summary>
    /// <exception cref="InvalidOperationException">It is in no section.</exception>
    public string NameOf(Ram ram)
    {
        if (!_rams.TryGetValue(ram, out var name))
            throw new InvalidOperationException($"{ram.Name} is used and in no section");
        if (_sections[ram] > _section && Declare(ram)) _earlier.Add(Declaration(ram));
        return name;
    }

    /// <summary>The vector of an input.</summary>
    public VerilogSignal Input(InputPort port) => _inputs[port.Name];

    /// <summary>True if an item is printed in the section that has begun.</summary>
    public bool IsHere(IDesignItem item) => _sections.TryGetValue(item, out var section) && section == _section;

    /// <summary>True if an item still has to be declared; it counts as declared from now on.</summary>
    public bool Declare(IDesignItem item) => _declared.Add(item is Ram ? item : _items[item].Signal);

    /// <summary>A new wire for a part of what something is.</summary>
    public VerilogSignal Derive(string stem, int width) => Add(new VerilogSignal(_names.Derive(stem), width));

    /// <summary>A name of its own for what is no signal.</summary>
    public string Name(string stem) => _names.Derive(stem);

    /// <summary>The declaration of an item.</summary>
    public VerilogDeclaration Declaration(IDesignItem item)
    {
        if (item is Ram ram) return VerilogRam.Declaration(ram, _rams[ram]);
        var signal = _items[item].Signal;
        return item switch
        {
            Flop flop => Register(signal, _vectors[signal].Initial, flop.Comment),
            RamRead { IsRegistered: true } read => Register(signal, 0, read.Comment),
            _ => new VerilogDeclaration("wire", signal.Width, signal.Name, null, item.Comment),
        };
    }

    private int SectionOf(IDesignItem item) =>
        _sections[item is Flop ? _vectors[_items[item].Signal].First : item];

    private static VerilogDeclaration Register(VerilogSignal signal, UInt128 initial, string? comment) =>
        new("reg", signal.Width, signal.Name, VerilogLiteral.Of(signal.Width, initial), comment);

    private void Add(Section section, int number)
    {
        foreach (var item in section.Items)
        {
            _sections.Add(item, number);
            if (item is Ram ram) _rams[ram] = _names.Take(ram.Name);
            else if (item is not Flop flop) Add(item, new VerilogSignal(_names.Take(item.Name), ((Value)item).Width));
            else if (_chains.Of(flop) is var chain && chain[0].Flops[0] == flop) Add(chain);
        }
    }

    private void Add(IReadOnlyList<FlopVector> chain)
    {
        var first = chain[0].Flops[0];
        var name = first.Vector is null ? _names.Take(first.Name) : _names.Derive(FlopChains.NameOf(chain), "_reg");
        List<Flop> places = [.. chain.Reverse().SelectMany(vector => vector.Places)];
        var signal = Add(new VerilogSignal(name, places.Sum(flop => flop.Width)));
        _vectors[signal] = new VerilogVector(places, first, signal);
        var low = 0;
        foreach (var flop in Enumerable.Reverse(places))
        {
            _items.Add(flop, new VerilogSlice(signal, low, flop.Width));
            low += flop.Width;
        }
    }

    private void Add(IDesignItem item, VerilogSignal signal) =>
        _items.Add(item, new VerilogSlice(Add(signal), 0, signal.Width));

    private VerilogSignal Add(VerilogSignal signal)
    {
        _all.Add(signal);
        return signal;
    }
}
