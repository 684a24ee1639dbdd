using System.Reflection;

namespace Emu.Compiler.Metadata;

/// <summary>Copies of live objects with all that they refer to; what two share, their copies share.</summary>
internal sealed class ObjectCopy
{
    private const BindingFlags Declared =
        BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private static readonly MethodInfo s_clone = typeof(object).GetMethod("MemberwiseClone", Declared)!;

    private readonly Dictionary<object, object> _copies = new(ReferenceEqualityComparer.Instance);

    /// <summary>An object, and all that it refers to and that can change.</summary>
    public static IReadOnlyCollection<object> Reachable(object original)
    {
        var copy = new ObjectCopy();
        copy.Of(original);
        return copy._copies.Keys;
    }

    /// <summary>The copy of an object; of a value that nobody can change, itself.</summary>
    public object? Of(object? original)
    {
        if (original is null or string or Type or Delegate or Pointer || original.GetType().IsPrimitive)
            return original;
        if (_copies.TryGetValue(original, out var known)) return known;
        var copy = s_clone.Invoke(original, null)!;
        if (!original.GetType().IsValueType) _copies[original] = copy;
        if (copy is Array array) CopyElements(array);
        else CopyFields(copy);
        return copy;
    }

    private void CopyElements(Array array)
    {
        if (array.GetType().GetElementType()!.IsPrimitive) return;
        for (var i = 0; i < array.Length; i++) array.SetValue(Of(array.GetValue(i)), i);
    }

    private void CopyFields(object copy)
    {
        for (var type = copy.GetType(); type is not null && type != typeof(ValueType); type = type.BaseType)
        {
            foreach (var field in type.GetFields(Declared)
                .Where(f => !f.FieldType.IsPrimitive && !f.FieldType.IsPointer))
                field.SetValue(copy, Of(field.GetValue(copy)));
        }
    }
}
