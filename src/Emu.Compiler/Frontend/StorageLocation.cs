using System.Reflection;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;

namespace Emu.Compiler.Frontend;

/// <summary>The target of a managed pointer. A path leads into nested structs, by field index.</summary>
internal abstract record StorageLocation(Type Type, IReadOnlyList<int> Path)
{
    /// <summary>The field of the struct that is here.</summary>
    public StorageLocation Field(FieldInfo field) =>
        this with { Type = field.FieldType, Path = [.. Path, StructShape.Of(Type).IndexOf(field)] };
}

/// <summary>An inline or local array, whose elements are values by themselves.</summary>
/// <param name="Location">Where it is.</param>
/// <param name="Shape">Its elements; null for a variable alone, which a span takes for one element.</param>
internal sealed record LocalArray(StorageLocation Location, StructShape? Shape)
{
    public int Length => Shape?.Parts.Count ?? 1;

    public Type ElementType => Shape?.Parts[0].Type ?? Location.Type;

    /// <summary>An element, or a part of one.</summary>
    public StorageLocation At(int index, Type type, IReadOnlyList<int> path) =>
        Location with { Type = type, Path = [.. Location.Path, .. Shape is null ? [] : new[] { index }, .. path] };
}

/// <summary>A variable of an inlined method.</summary>
internal sealed record LocalLocation(Slot Slot, Type Type, IReadOnlyList<int> Path) : StorageLocation(Type, Path);

/// <summary>A field of an object.</summary>
internal sealed record FieldLocation(Reference Owner, FieldInfo Info, Type Type, IReadOnlyList<int> Path)
    : StorageLocation(Type, Path);

/// <summary>An element of an array; the index, of width 32, has been checked.</summary>
internal sealed record ElementLocation(Reference Array, Value Index, Type Type, IReadOnlyList<int> Path)
    : StorageLocation(Type, Path);

/// <summary>An element of an inline or local array; the index, of width 32, has been checked.</summary>
internal sealed record LocalElementLocation(LocalArray Array, Value Index, Type Type, IReadOnlyList<int> Path)
    : StorageLocation(Type, Path);

/// <summary>A byte of the frame; the offset, of width 32, has been checked.</summary>
internal sealed record FrameLocation(Value Offset) : StorageLocation(typeof(byte), []);

/// <summary>Something that only can be read: a static readonly field.</summary>
internal sealed record ConstantLocation(AbstractValue Value, Type Type, IReadOnlyList<int> Path)
    : StorageLocation(Type, Path);

/// <summary>A variable: an argument, a local, or an entry of the evaluation stack between two blocks.</summary>
internal sealed class Slot(string name, string? place = null)
{
    public string Name { get; } = name;

    /// <summary>Tells it from others of its name, the same each time that the program is translated.</summary>
    public string Place { get; } = place ?? name;
}
