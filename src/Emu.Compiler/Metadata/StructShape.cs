using System.Reflection;
using System.Runtime.CompilerServices;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Refusals;

namespace Emu.Compiler.Metadata;

/// <summary>The instance fields of a struct, or the elements of an inline or local array.</summary>
internal sealed class StructShape
{
    /// <summary>The most elements that are kept each by itself.</summary>
    public const int MostElements = 256;

    private static readonly Dictionary<(Type Type, int? Length), StructShape> s_shapes = [];

    private StructShape(Type type, int? length)
    {
        var fields = type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic);
        Parts = length is { } elements
            ? [.. Enumerable.Range(0, elements).Select(i => new StructPart(fields.Single(), i))]
            : [.. fields.Select(field => new StructPart(field))];
    }

    public IReadOnlyList<StructPart> Parts { get; }

    /// <summary>The parts of a struct's value.</summary>
    public static StructShape Of(Type type)
    {
        lock (s_shapes)
        {
            if (s_shapes.TryGetValue((type, null), out var shape)) return shape;
            Check(type);
            return s_shapes[(type, null)] = new StructShape(type, InlineArrays.LengthOf(type));
        }
    }

    /// <summary>The elements of an array that lives in a method: <c>stackalloc</c>.</summary>
    public static StructShape OfElements(Type element, int length)
    {
        CheckLength($"stackalloc {element.Name}[{length}]", length);
        var type = typeof(Single<>).MakeGenericType(element);
        lock (s_shapes)
        {
            return s_shapes.TryGetValue((type, length), out var shape)
                ? shape
                : s_shapes[(type, length)] = new StructShape(type, length);
        }
    }

    public int IndexOf(FieldInfo field)
    {
        for (var i = 0; i < Parts.Count; i++)
        {
            if (Parts[i].Field.MetadataToken == field.MetadataToken && Parts[i].Field.Module == field.Module) return i;
        }
        throw new InvalidOperationException($"{field.Name} is no field of {field.DeclaringType}");
    }

    /// <summary>A struct is translated field by field: what it is besides its fields must be nothing.</summary>
    private static void Check(Type type)
    {
        if (type == typeof(float) || type == typeof(double) || type == typeof(Half) || type == typeof(decimal))
            throw Refuse(Refusal.FloatingType(type.Name));
        if (type.IsPointer || type.IsFunctionPointer)
            throw new CompileException(
                DiagnosticNumber.UnsafeCode, $"{type} does not compile; use a span, or an array and an index", null);
        if (type.IsExplicitLayout)
            throw Refuse(Refusal.OverlappingFields(type.Name));
        if (type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
            .Any(field => field.IsDefined(typeof(FixedBufferAttribute))))
            throw Refuse(Refusal.FixedBuffer(type.Name));
        if (InlineArrays.LengthOf(type) is { } length) CheckLength(type.Name, length);
    }

    private static CompileException Refuse(Refusal refusal) => new(refusal.Number, refusal.Reason, null);

    /// <summary>Each element is a value of its own; many of them belong into a memory.</summary>
    private static void CheckLength(string what, int length)
    {
        if (length <= MostElements) return;
        throw new CompileException(
            DiagnosticNumber.StructLayout,
            $"{what} has more than {MostElements} elements; use an array that the constructor makes", null);
    }

    /// <summary>The struct whose field stands for the elements of a local array.</summary>
    private readonly record struct Single<T>(T Element);
}
