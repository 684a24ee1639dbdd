using System.Reflection;
using System.Runtime.CompilerServices;
using Emu.Compiler.Diagnostics;

namespace Emu.Compiler.Metadata;

/// <summary>The instance fields of a struct.</summary>
internal sealed class StructShape
{
    private static readonly Dictionary<Type, StructShape> s_shapes = [];

    private StructShape(Type type)
    {
        Type = type;
        Fields = type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic);
    }

    public Type Type { get; }

    public IReadOnlyList<FieldInfo> Fields { get; }

    public static StructShape Of(Type type)
    {
        lock (s_shapes)
        {
            if (s_shapes.TryGetValue(type, out var shape)) return shape;
            Check(type);
            return s_shapes[type] = new StructShape(type);
        }
    }

    public int IndexOf(FieldInfo field)
    {
        for (var i = 0; i < Fields.Count; i++)
        {
            if (Fields[i].MetadataToken == field.MetadataToken && Fields[i].Module == field.Module) return i;
        }
        throw new InvalidOperationException($"{field.Name} is no field of {Type}");
    }

    /// <summary>A struct is translated field by field: what it is besides its fields must be nothing.</summary>
    private static void Check(Type type)
    {
        if (type == typeof(float) || type == typeof(double) || type == typeof(Half) || type == typeof(decimal))
            throw new CompileException(
                DiagnosticNumber.FloatingPoint,
                $"{type.Name} does not compile; use integers, scaled where needed",
                null);
        if (type.IsPointer || type.IsFunctionPointer)
            throw new CompileException(
                DiagnosticNumber.UnsafeCode, $"{type} does not compile; use a span, or an array and an index", null);
        if (type.IsExplicitLayout)
            throw new CompileException(
                DiagnosticNumber.StructLayout,
                $"the fields of {type.Name} may overlap; use a plain struct, and shifts or BinaryPrimitives for the "
                + "other view of its bits", null);
        if (type.Name.StartsWith("InlineArray", StringComparison.Ordinal) && type.Module == typeof(object).Module
            || type.Name.StartsWith("<>y__InlineArray", StringComparison.Ordinal))
            throw new CompileException(
                DiagnosticNumber.StructLayout,
                "the elements of [a, b], or of params, lie on the stack for a span; "
                + "use an array that the constructor makes, and fill it",
                null);
        if (type.IsDefined(typeof(InlineArrayAttribute))
            || type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
                .Any(field => field.IsDefined(typeof(FixedBufferAttribute))))
            throw new CompileException(
                DiagnosticNumber.StructLayout,
                $"{type.Name} has more elements than fields; use an array that the constructor makes", null);
    }
}
