using System.Reflection;

namespace Emu.Compiler.Metadata;

/// <summary>A part of a struct that is kept by itself: a field, or an element of an inline array.</summary>
/// <param name="Field">The field; of an inline array its only one.</param>
/// <param name="Index">The number of the element; null for a field.</param>
internal sealed record StructPart(FieldInfo Field, int? Index = null)
{
    public Type Type => Field.FieldType;

    public string Name => Index is { } index ? $"{index}" : Field.Name;

    /// <summary>This part of a live struct.</summary>
    public object? Of(Type type, object? value) =>
        Index is { } index ? InlineArrays.Element(value!, type, Type, index) : Types.Field(type, value, Field);
}
