using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;
using Emu.Compiler.Refusals;

namespace Emu.Compiler.Elaboration;

/// <summary>
/// The state of a service: a register for each scalar leaf of a field of a live object, a memory for each scalar leaf
/// of the elements of a live array. Objects are told apart by identity, so that sharing is kept; they are named by the
/// way on which the front end first met them.
/// </summary>
public sealed class StateMap
{
    private readonly Dictionary<object, string> _names = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<(object Owner, FieldInfo? Field, string Path), Register> _registers = new(
        new ByIdentity());
    private readonly Dictionary<(object Owner, FieldInfo? Field, string Path), Memory> _memories = new(
        new ByIdentity());

    private readonly Service? _service;
    private readonly HashSet<Type> _families = [];
    private readonly HashSet<object> _statics = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<object> _hidden = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<Register> _hiddenRegisters = [];
    private readonly Dictionary<(FieldInfo Field, Type Element), Array> _data = [];
    private readonly Dictionary<string, char[]> _texts = [];
    private readonly Dictionary<Array, Array> _rows = new(ReferenceEqualityComparer.Instance);
    private readonly CoreMap _cores;

    /// <summary>The map of a translation before this one: data of the program is the same arrays in both.</summary>
    private readonly StateMap? _before;

    /// <summary>Begins at a service.</summary>
    public StateMap(Service service)
        : this(service, null, null)
    {
    }

    /// <summary>Begins at a service, or once more; its methods may be programs of the clock level.</summary>
    internal StateMap(Service service, StateMap? before, ComponentCompiler? components)
    {
        ArgumentNullException.ThrowIfNull(service);
        (_service, _before, _cores) = (service, before, new CoreMap(components));
        _names[service] = "";
    }

    /// <summary>Begins at nothing: a program's static fields are its state.</summary>
    internal StateMap() => _cores = new CoreMap(null);

    /// <summary>All registers so far.</summary>
    public IEnumerable<Register> Registers => _registers.Values;

    /// <summary>All memories so far.</summary>
    public IEnumerable<Memory> Memories => _memories.Values;

    /// <summary>
    /// The registers with the numbers that the live objects hold for them now:
    /// for comparing a run on .NET with another.
    /// </summary>
    public IEnumerable<(Register Register, UInt128 Bits)> LiveRegisters() => _registers.Select(entry =>
    {
        var (owner, field, path) = entry.Key;
        return (entry.Value, Arithmetic.Mask(entry.Value.Width)
            & Types.Bits(Leaf(field!.FieldType, field.GetValue(owner), Path(path)).Value!));
    });

    /// <summary>The elements of memories with the numbers that the live objects hold for them now.</summary>
    public IEnumerable<(Memory Memory, int Index, UInt128 Bits)> LiveElements() => _memories.SelectMany(entry =>
    {
        var array = (Array)entry.Key.Owner;
        return Enumerable.Range(0, array.Length).Select(i =>
            (entry.Value, i,
                Arithmetic.Mask(entry.Value.Width)
                & Types.Bits(Leaf(array.GetType().GetElementType()!, array.GetValue(i), Path(entry.Key.Path)).Value!)));
    });

    /// <summary>
    /// The columns of the tables that <see cref="ControlAttribute"/> shows, of the memories that are given.
    /// </summary>
    internal IReadOnlyList<ControlColumn> ControlColumns(IReadOnlySet<Memory> memories) =>
        _service is null ? [] : ControlTables.Of(
            _service, _memories.Where(m => memories.Contains(m.Value)).Select(m => (m.Key.Owner, m.Key.Path, m.Value)));

    /// <summary>
    /// True if a register is not to be seen from outside: a field on the way to it is hidden from debuggers
    /// (<see cref="DebuggerBrowsableState.Never"/>).
    /// </summary>
    internal bool IsHidden(Register register) => _hiddenRegisters.Contains(register);

    /// <summary>Notes that what a field holds is hidden, if the field is.</summary>
    internal void MeetHidden(FieldInfo field, object? target)
    {
        if (target is not null && IsHidden(field) && !_names.ContainsKey(target)) _hidden.Add(target);
    }

    /// <summary>Names an object that the state begins at.</summary>
    internal void Name(object owner, string name) => _names.TryAdd(owner, name);

    /// <summary>Names an object that was met as the field or element <paramref name="member"/> of another.</summary>
    internal void Meet(object owner, string member, object? target)
    {
        if (target is null) return;
        if (!_names.ContainsKey(target))
        {
            _names[target] = IsFirstFamily(target) ? "" : Join(PathOf(owner, member), member);
            if (_hidden.Contains(owner)) _hidden.Add(target);
        }
        if (_statics.Contains(owner)) _statics.Add(target);
    }

    /// <summary>Names what a static field holds; it belongs to no service, and so is not written.</summary>
    internal void MeetStatic(FieldInfo field, object? target)
    {
        if (target is null || field.FieldType.IsValueType) return;
        _names.TryAdd(target, Refusal.CleanName(field.Name));
        _statics.Add(target);
    }

    /// <summary>True if an object was reached from a static field.</summary>
    internal bool IsStatic(object? target) => target is not null && _statics.Contains(target);

    /// <summary>Data of the program as an array: the same one each time.</summary>
    internal Array Data(FieldInfo field, Type element)
    {
        if (_data.TryGetValue((field, element), out var array)) return array;
        array = _before?.Data(field, element) ?? NewData(field, element);
        _names[array] = $"data{_data.Count}";
        _statics.Add(array);
        return _data[(field, element)] = array;
    }

    private static Array NewData(FieldInfo field, Type element)
    {
        // The field's type has the data's size; its elements are numbers of whole bytes.
        var array = Array.CreateInstance(
            element,
            System.Runtime.InteropServices.Marshal.SizeOf(field.FieldType)
            / Math.Max(1, Types.Width(element)!.Value / 8));
        RuntimeHelpers.InitializeArray(array, field.FieldHandle);
        return array;
    }

    /// <summary>The characters of a string, which nothing writes: the same array each time.</summary>
    internal char[] Characters(string text)
    {
        if (_texts.TryGetValue(text, out var characters)) return characters;
        _names[_texts[text] = characters = text.ToCharArray()] = $"text{_texts.Count}";
        return characters;
    }

    /// <summary>The elements of an array of several dimensions, row behind row, as they are at first.</summary>
    internal Array RowsOf(Array array)
    {
        if (_rows.TryGetValue(array, out var rows)) return rows;
        rows = Array.CreateInstance(array.GetType().GetElementType()!, array.Length);
        foreach (var (i, element) in array.Cast<object?>().Index()) rows.SetValue(element, i);
        if (_names.TryGetValue(array, out var name)) _names[rows] = name;
        return _rows[array] = rows;
    }

    /// <summary>The core of a method that a Verilog module stands for.</summary>
    internal VerilogCore Core(MethodInfo method, object? target) => _cores.Of(
        method, target,
        target is null ? method.DeclaringType!.Name : _names.GetValueOrDefault(target, target.GetType().Name));

    /// <summary>
    /// A field or an array whose state is inside a module, and that is used elsewhere too; null if there is none.
    /// </summary>
    internal string? UsedBesideCore()
    {
        var inside = new HashSet<object>(
            _cores.Objects.SelectMany(ObjectCopy.Reachable), ReferenceEqualityComparer.Instance);
        return _registers.Where(r => inside.Contains(r.Key.Owner)).Select(r => r.Value.Name)
            .Concat(_memories.Where(m => inside.Contains(m.Key.Owner)).Select(m => m.Value.Name)).FirstOrDefault();
    }

    /// <summary>The register of a scalar leaf.</summary>
    internal Register Register(object owner, FieldInfo field, IReadOnlyList<int> path)
    {
        (object, FieldInfo?, string) key = (owner, field, string.Join('.', path));
        if (_registers.TryGetValue(key, out var register)) return register;
        var (leafName, type, value) = Leaf(field.FieldType, field.GetValue(owner), path);
        var ownerName = _names.GetValueOrDefault(owner, owner.GetType().Name);
        var name = Join(Join(ownerName, Refusal.CleanName(field.Name)), leafName);
        register = new Register(name, Types.Width(type)!.Value, Types.Bits(value!));
        if (_hidden.Contains(owner) || IsHidden(field)) _hiddenRegisters.Add(register);
        return _registers[key] = register;
    }

    /// <summary>The register of a leaf that refers to one of several objects, and holds its number.</summary>
    internal Register Choice(object owner, FieldInfo field, IReadOnlyList<int> path, int width, int reset)
    {
        (object, FieldInfo?, string) key = (owner, field, string.Join('.', path));
        if (_registers.TryGetValue(key, out var register)) return register;
        var name = Join(
            Join(_names.GetValueOrDefault(owner, owner.GetType().Name), Refusal.CleanName(field.Name)),
            Leaf(field.FieldType, field.GetValue(owner), path).Name);
        return _registers[key] = new Register(name, width, (UInt128)reset);
    }

    /// <summary>The memory of such a leaf of an array's elements.</summary>
    internal Memory Choice(Array array, IReadOnlyList<int> path, int width, IEnumerable<int> reset)
    {
        (object, FieldInfo?, string) key = (array, null, string.Join('.', path));
        if (_memories.TryGetValue(key, out var memory)) return memory;
        var name = Leaf(array.GetType().GetElementType()!, null, path).Name;
        return _memories[key] = new Memory(
            Join(_names.GetValueOrDefault(array, "array"), name), width, [.. reset.Select(number => (UInt128)number)]);
    }

    /// <summary>The registers of objects.</summary>
    internal IEnumerable<Register> RegistersOf(IReadOnlyList<object?> owners) => _registers
        .Where(entry => owners.Contains(entry.Key.Owner, ReferenceEqualityComparer.Instance))
        .Select(entry => entry.Value);

    /// <summary>The memory of a scalar leaf of an array's elements.</summary>
    internal Memory Memory(Array array, IReadOnlyList<int> path)
    {
        (object, FieldInfo?, string) key = (array, null, string.Join('.', path));
        if (_memories.TryGetValue(key, out var memory)) return memory;
        var element = array.GetType().GetElementType()!;
        var (leafName, type, _) = Leaf(element, null, path);
        var reset = Enumerable.Range(0, array.Length)
            .Select(i => Types.Bits(Leaf(element, array.GetValue(i), path).Value!)).ToArray();
        return _memories[key] = new Memory(
            Join(_names.GetValueOrDefault(array, "array"), leafName), Types.Width(type)!.Value, reset);
    }

    /// <summary>
    /// The name of an object in front of that of a member. A family of counters has none, but for a counter of whose
    /// name the service has one: there it is the service's property.
    /// </summary>
    private string PathOf(object owner, string member)
    {
        var path = _names.GetValueOrDefault(owner, "");
        if (path.Length > 0 || owner == _service || _service is null) return path;
        var properties = _service.GetType().GetProperties();
        return properties.Any(p => p.Name == member && p.PropertyType == typeof(Counter))
            && properties.FirstOrDefault(p => p.PropertyType == owner.GetType() && p.GetValue(_service) == owner)
                is { } property
            ? property.Name
            : path;
    }

    /// <summary>
    /// True for a family of counters, the first of its class: these have their own names, wherever the family is.
    /// </summary>
    private bool IsFirstFamily(object target) =>
        target.GetType().IsDefined(typeof(CounterFamilyAttribute), inherit: false) && _families.Add(target.GetType());

    private static bool IsHidden(FieldInfo field) =>
        field.GetCustomAttribute<DebuggerBrowsableAttribute>()?.State == DebuggerBrowsableState.Never
        && !field.IsDefined(typeof(CompilerGeneratedAttribute));

    private static (string Name, Type Type, object? Value) Leaf(Type type, object? value, IReadOnlyList<int> path)
    {
        var name = "";
        foreach (var index in path)
        {
            var part = StructShape.Of(type).Parts[index];
            name = Join(name, Refusal.CleanName(part.Name));
            value = value is null && Nullable.GetUnderlyingType(type) is null ? null : part.Of(type, value);
            type = part.Type;
        }
        return (name, type, value ?? (type.IsValueType ? RuntimeHelpers.GetUninitializedObject(type) : null));
    }

    private static int[] Path(string text) => text.Length == 0 ? [] : [.. text.Split('.').Select(int.Parse)];

    private static string Join(string path, string member) =>
        path.Length == 0 ? member : member.Length == 0 ? path : $"{path}.{member}";

    private sealed class ByIdentity : IEqualityComparer<(object Owner, FieldInfo? Field, string Path)>
    {
        public bool Equals(
            (object Owner, FieldInfo? Field, string Path) x, (object Owner, FieldInfo? Field, string Path) y) =>
            ReferenceEquals(x.Owner, y.Owner) && x.Path == y.Path
            && x.Field?.MetadataToken == y.Field?.MetadataToken && x.Field?.Module == y.Field?.Module;

        public int GetHashCode((object Owner, FieldInfo? Field, string Path) key) =>
            HashCode.Combine(RuntimeHelpers.GetHashCode(key.Owner), key.Field?.MetadataToken, key.Path);
    }
}
