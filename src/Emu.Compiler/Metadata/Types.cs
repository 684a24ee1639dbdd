using System.Reflection;
using System.Runtime.CompilerServices;

namespace Emu.Compiler.Metadata;

/// <summary>The types that are numbers, and their widths (ECMA-335 §III.1.1).</summary>
internal static class Types
{
    /// <summary>The bits of a number in a variable; null for what is no number.</summary>
    public static int? Width(Type type)
    {
        if (type.IsEnum) return Width(type.GetEnumUnderlyingType());
        if (type == typeof(UInt128) || type == typeof(Int128)) return 128;
        if (type == typeof(nint) || type == typeof(nuint)) return 64;
        return Type.GetTypeCode(type) switch
        {
            TypeCode.Boolean => 1,
            TypeCode.Byte or TypeCode.SByte => 8,
            TypeCode.Char or TypeCode.Int16 or TypeCode.UInt16 => 16,
            TypeCode.Int32 or TypeCode.UInt32 => 32,
            TypeCode.Int64 or TypeCode.UInt64 => 64,
            _ => null,
        };
    }

    public static bool IsSigned(Type type) =>
        type.IsEnum ? IsSigned(type.GetEnumUnderlyingType())
        : type == typeof(Int128) || type == typeof(nint)
            || Type.GetTypeCode(type) is TypeCode.SByte or TypeCode.Int16 or TypeCode.Int32 or TypeCode.Int64;

    public static bool IsSpan(Type type) =>
        type.IsGenericType && type.GetGenericTypeDefinition() is var definition
        && (definition == typeof(Span<>) || definition == typeof(ReadOnlySpan<>));

    /// <summary>A field of a live struct; a nullable one in a box is null, or its value alone.</summary>
    public static object? Field(Type type, object? value, FieldInfo field)
    {
        if (Nullable.GetUnderlyingType(type) is not { } underlying) return field.GetValue(value);
        return field.FieldType == underlying && field.Name != "hasValue"
            ? value ?? RuntimeHelpers.GetUninitializedObject(underlying)
            : value is not null;
    }

    /// <summary>The bits of a live number; above its width, copies of its sign.</summary>
    public static UInt128 Bits(object value) => value switch
    {
        bool flag => flag ? UInt128.One : UInt128.Zero,
        char character => character,
        Enum number => Bits(Convert.ChangeType(number, number.GetType().GetEnumUnderlyingType())),
        UInt128 number => number,
        Int128 number => (UInt128)number,
        nint number => (UInt128)(Int128)number,
        nuint number => number,
        ulong number => number,
        _ => (UInt128)(Int128)Convert.ToInt64(value),
    };
}
