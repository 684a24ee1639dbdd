using System.Reflection;
using System.Runtime.CompilerServices;
using Emu.Compiler.IR;

namespace Emu.Compiler.Metadata;

/// <summary>Live numbers, and structs of one number such as an address, as bits and back.</summary>
internal static class Number
{
    private const BindingFlags Instance = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    /// <summary>The bits of a type's values; null if it is neither a number nor a struct of one.</summary>
    public static int? Width(Type type) =>
        Types.Width(type) is { } width ? width : Only(type) is { } field ? Width(field.FieldType) : null;

    /// <summary>The bits that values of a type need: fewer for a key, which says how wide it is.</summary>
    public static int? KeyWidth(Type type) =>
        Width(type) is { } width
            ? Array.Exists(type.GetInterfaces(), face => face.IsGenericType
                && face.GetGenericTypeDefinition() == typeof(ITableKey<>))
                ? Math.Min(width, (int)type.GetProperty(nameof(MacAddress.Width))!.GetValue(null)!)
                : width
            : null;

    /// <summary>The bits of a value.</summary>
    public static UInt128 Bits(object value) =>
        Types.Width(value.GetType()) is null ? Bits(Only(value.GetType())!.GetValue(value)!) : Types.Bits(value);

    /// <summary>The value of a type that has some bits.</summary>
    public static object Of(Type type, UInt128 bits)
    {
        if (Types.Width(type) is { } width) return OfWidth(type, width, bits);
        var field = Only(type)!;
        var value = RuntimeHelpers.GetUninitializedObject(type);
        field.SetValue(value, Of(field.FieldType, bits));
        return value;
    }

    /// <summary>The only field of a struct; null of other types.</summary>
    public static FieldInfo? Only(Type type) =>
        type is { IsValueType: true, IsByRefLike: false } && type.GetFields(Instance) is [var only] ? only : null;

    private static object OfWidth(Type type, int width, UInt128 bits)
    {
        if (type.IsEnum) return Enum.ToObject(type, OfWidth(type.GetEnumUnderlyingType(), width, bits));
        var signed = Arithmetic.ToSigned(bits, width);
        return Type.GetTypeCode(type) switch
        {
            TypeCode.Boolean => bits != 0,
            TypeCode.Byte => (byte)bits,
            TypeCode.SByte => (sbyte)signed,
            TypeCode.Char => (char)bits,
            TypeCode.Int16 => (short)signed,
            TypeCode.UInt16 => (ushort)bits,
            TypeCode.Int32 => (int)signed,
            TypeCode.UInt32 => (uint)bits,
            TypeCode.Int64 => (long)signed,
            TypeCode.UInt64 => (ulong)bits,
            _ when type == typeof(UInt128) => bits,
            _ when type == typeof(Int128) => signed,
            _ when type == typeof(nint) => (nint)signed,
            _ => (nuint)bits,
        };
    }
}
