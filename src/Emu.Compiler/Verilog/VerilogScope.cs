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
    private readonly Dictionary<IDesignItem, VerilogSignal> _items = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<IDesignItem, int> _sections = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<IDesignItem> _declared = new(ReferenceEqualityComparer.Instance);
    private readonly List<VerilogSignal> _all = [];
    private readonly List<string> _earlier = [];
    private int _section;

    public VerilogScope(Design design, VerilogNames names)
    {
        _names = names;
        foreach (var input in design.Inputs)
            _inputs[input.Name] = Add(new VerilogSignal(names.Take(input.Name), input.Width));
        Outputs = [.. design.Outputs.Select(o => names.Take(o.Name))];
        for (var section = 0; section < design.Sections.Count; section++)
            foreach (var item in design.Sections[section].Items) Add(item, section);
    }

    /// <summary>The names of the outputs, in order.</summary>
    public IReadOnlyList<string> Outputs { get; }

    /// <summary>The vectors that have bits which nothing reads, as expressions.</summary>
    public IEnumerable<string> Unread =>
        _all.SelectMany(s => s.Unread())
            .Concat(_items.Keys.OfType<Ram>().Where(r => r.Reads.Count == 0).Select(r => $"{_items[r].Name}[0]"));

    /// <summary>Begins a section; what it uses of later ones is declared in it.</summary>
    public void Begin(int section)
    {
        _section = section;
        _earlier.Clear();
    }

    /// <summary>The declarations of what the section uses of later ones.</summary>
    public IReadOnlyList<string> Earlier => _earlier;

    /// <summary>The vector of an item that is read.</summary>
    /// <exception cref="InvalidOperationException">It is in no section.</exception>
    public VerilogSignal this[IDesignItem item]
    {
        get
        {
            if (!_items.TryGetValue(item, out var signal))
                throw new InvalidOperationException($"{item.Name} is used and in no section");
            if (_sections[item] > _section && _declared.Add(item)) _earlier.Add(Declaration(item));
            return signal;
        }
    }

    /// <summary>The vector of an input.</summary>
    public VerilogSignal Input(InputPort port) => _inputs[port.Name];

    /// <summary>True if an item is printed in the section that has begun.</summary>
    public bool IsHere(IDesignItem item) => _sections.TryGetValue(item, out var section) && section == _section;

    /// <summary>True if an item still has to be declared; it counts as declared from now on.</summary>
    public bool Declare(IDesignItem item) => _declared.Add(item);

    /// <summary>A new wire for a part of what <paramref name="consumer"/> is.</summary>
    public VerilogSignal Derive(string consumer, string kind, int width) =>
        Add(new VerilogSignal(_names.Derive(consumer, kind), width));

    /// <summary>The declaration of an item, with its comment.</summary>
    public string Declaration(IDesignItem item)
    {
        var name = _items[item].Name;
        return item switch
        {
            Flop flop => Register(name, flop.Width, flop.Reset ?? 0, flop.Comment),
            RamRead { IsRegistered: true } read => Register(name, read.Width, 0, read.Comment),
            Ram ram => VerilogRam.Declaration(ram, name, _names),
            _ => VerilogLayout.Commented(
                VerilogLayout.Declaration("wire", _items[item].Width, name) + ";", item.Comment),
        };
    }

    private static string Register(string name, int width, UInt128 initial, string? comment) =>
        VerilogLayout.Commented(
            $"{VerilogLayout.Declaration("reg", width, name)} = {VerilogLiteral.Of(width, initial)};", comment);

    private void Add(IDesignItem item, int section)
    {
        var signal = new VerilogSignal(_names.Take(item.Name), item is Ram ram ? ram.Width : ((Value)item).Width);
        _items.Add(item, signal);
        _sections.Add(item, section);
        if (item is not Ram) Add(signal);
    }

    private VerilogSignal Add(VerilogSignal signal)
    {
        _all.Add(signal);
        return signal;
    }
}
