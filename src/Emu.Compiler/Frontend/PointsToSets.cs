using System.Numerics;
using System.Reflection;
using Emu.Compiler.IR;

namespace Emu.Compiler.Frontend;

/// <summary>
/// The objects that variables, fields and elements of the clock level may refer to, where that is more than one: a
/// points-to analysis by inclusion (Andersen 1994). A reference is then a number, that of its object in the set
/// (Séméria and De Micheli 1998, <i>SpC: Synthesis of pointers in C</i>). A program is translated again until no set
/// grows: objects that it makes are the same each time, so that ends.
/// </summary>
internal sealed class PointsToSets
{
    private readonly Dictionary<string, List<object?>> _sets = [];
    private readonly Dictionary<string, object> _made = [];
    private readonly HashSet<object> _all = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<string, int> _makings = [];
    private readonly List<DelegateValue> _delegates = [];
    private readonly Dictionary<string, List<(int Thread, object Owner, object? Target)>> _read = [];
    private readonly Stack<Action> _kept = [];

    /// <summary>True if what is translated began with too small a set.</summary>
    public bool HasGrown { get; private set; }

    /// <summary>The first line that gives another object to a place that .NET does not weave for threads.</summary>
    public SourceLocation? Unshared { get; set; }

    /// <summary>Begins a translation: objects hold what they held before the last one.</summary>
    public void Begin()
    {
        while (_kept.TryPop(out var undo)) undo();
        HasGrown = false;
        Unshared = null;
        _makings.Clear();
        _read.Clear();
    }

    /// <summary>The key of a field, or of a part of the struct in it.</summary>
    public static string KeyOf(FieldInfo field, IReadOnlyList<int> path) =>
        $"{field.DeclaringType} {field.Module.MetadataToken:x} {field.MetadataToken:x} {string.Join('.', path)}";

    /// <summary>The key of the elements of arrays of a type, or of a part of the structs in them.</summary>
    public static string KeyOf(Array array, IReadOnlyList<int> path) =>
        $"{array.GetType().GetElementType()} [] {string.Join('.', path)}";

    /// <summary>The set of a place; null for one that always refers to what is known there.</summary>
    public IReadOnlyList<object?>? Of(string key) => _sets.GetValueOrDefault(key);

    /// <summary>The set of a place, with these objects in it.</summary>
    public IReadOnlyList<object?> With(string key, IEnumerable<object?> objects)
    {
        if (!_sets.TryGetValue(key, out var set))
        {
            _sets[key] = set = [];
            HasGrown = true;
        }
        foreach (var found in objects)
        {
            if (IndexOf(set, found) >= 0) continue;
            set.Add(found);
            HasGrown = true;
        }
        return set;
    }

    /// <summary>The place of an object in a set; -1 for one that is not in it.</summary>
    public static int IndexOf(IReadOnlyList<object?> set, object? target)
    {
        for (var i = 0; i < set.Count; i++)
        {
            if (ReferenceEquals(set[i], target) || set[i] is string text && target is string other && text == other)
                return i;
        }
        return -1;
    }

    /// <summary>The bits that number the objects of a set.</summary>
    public static int WidthOf(IReadOnlyList<object?> set) =>
        set.Count < 2 ? 1 : BitOperations.Log2((uint)set.Count - 1) + 1;

    /// <summary>An object that is made at a place of the program: the same one in each translation.</summary>
    public T Made<T>(string place, Func<T> make)
        where T : notnull
    {
        var number = _makings[place] = _makings.GetValueOrDefault(place) + 1;
        var key = $"{place} {number}";
        if (_made.TryGetValue(key, out var known) && known is T made) return made;
        made = make();
        _made[key] = made;
        _all.Add(made);
        return made;
    }

    /// <summary>True for an object that the program makes while it is translated.</summary>
    public bool IsMade(object? target) => target is not null && _all.Contains(target);

    /// <summary>Notes how to take back what is kept in a live object.</summary>
    public void Kept(Action undo) => _kept.Push(undo);

    /// <summary>A thread takes what a field or an element holds now as what it always holds.</summary>
    public void Read(string key, int thread, object owner, object? target)
    {
        if (!_read.TryGetValue(key, out var reads)) _read[key] = reads = [];
        reads.Add((thread, owner, target));
    }

    /// <summary>True if another thread has taken something else as what a field or an element always holds.</summary>
    public bool IsReadOtherwise(string key, int thread, object owner, object? target) =>
        _read.TryGetValue(key, out var reads) && reads.Exists(read =>
            read.Thread != thread && ReferenceEquals(read.Owner, owner) && !ReferenceEquals(read.Target, target));

    /// <summary>A value as a reference: that of a delegate is an object, the same one for the same method.</summary>
    public Reference? AsReference(AbstractValue value)
    {
        if (value is not DelegateValue made) return value as Reference;
        if (made.Receiver is not (null or Reference { IsKnown: true })) return null;
        var known = _delegates.Find(other => other.Method == made.Method
            && ReferenceEquals((other.Receiver as Reference)?.Target, (made.Receiver as Reference)?.Target));
        if (known is null) _delegates.Add(known = made);
        return new Reference(known);
    }
}
