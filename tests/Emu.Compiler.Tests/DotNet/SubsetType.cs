using Emu.Compiler.Metadata;

namespace Emu.Compiler.Tests;

/// <summary>The types of which services are made, as C#: names, values from a frame, and how a value is kept.</summary>
internal static class SubsetType
{
    private static readonly Dictionary<Type, string> s_names = new()
    {
        [typeof(bool)] = "bool",
        [typeof(char)] = "char",
        [typeof(byte)] = "byte",
        [typeof(sbyte)] = "sbyte",
        [typeof(short)] = "short",
        [typeof(ushort)] = "ushort",
        [typeof(int)] = "int",
        [typeof(uint)] = "uint",
        [typeof(long)] = "long",
        [typeof(ulong)] = "ulong",
        [typeof(nint)] = "nint",
        [typeof(nuint)] = "nuint",
        [typeof(Int128)] = "Int128",
        [typeof(UInt128)] = "UInt128",
    };

    /// <summary>The integer types, in the order of a page.</summary>
    public static IReadOnlyList<Type> Integers { get; } =
        [.. s_names.Keys.Where(type => type != typeof(bool) && type != typeof(char))];

    /// <summary>C# of the class from which the services are derived.</summary>
    public const string Base = """
        public abstract class Caller : Service
        {
            protected readonly uint[] _first = [1, 2, 3, 4, 5];
            protected readonly uint[] _second = [1, 2, 3, 4, 5];
            protected readonly byte[] _firstBytes = [1, 2, 3, 4, 5];
            protected readonly byte[] _secondBytes = [1, 2, 3, 4, 5];
            protected UInt128 _kept;

            protected void Keep(UInt128 number) => _kept = _kept * 31 + number;
            protected static bool Same<T>() => typeof(T) == typeof(byte);
            protected static bool Different<T>() => typeof(T) != typeof(byte);
        }

        """;

    /// <summary>True if a value of the type can be made from a frame.</summary>
    public static bool IsArgument(Type type) =>
        s_names.ContainsKey(type)
        || Element(type) is { } element && (element == typeof(byte) || element == typeof(uint))
        || type.IsByRef && s_names.ContainsKey(type.GetElementType()!)
        || IsTuple(type) && type.GetGenericArguments().All(s_names.ContainsKey);

    /// <summary>True if a value of the type can be kept.</summary>
    public static bool IsResult(Type type) => type == typeof(void) || IsArgument(type);

    /// <summary>A value from the slot of that number; of spans of 32 bits, the first two arrays.</summary>
    public static string Argument(Type type, int slot, int header)
    {
        var end = header + PureMethodService.SlotSize * (slot + 1);
        if (type.IsByRef) return Argument(type.GetElementType()!, slot, header);
        if (Element(type) is { } element)
        {
            var array = (slot == 0 ? "_first" : "_second") + (element == typeof(byte) ? "Bytes" : "");
            if (type.IsArray) return array;
            var span = element == typeof(byte)
                ? $"bytes.Slice({end - 4}, bytes[{end - 5}] & 7)"
                : $"{array}.AsSpan(bytes[{end - 1}] & 3)";
            return $"({Name(type)}){span}";
        }
        if (!IsTuple(type)) return Number(type, end);
        var parts = type.GetGenericArguments().Select((part, i) => Number(part, end - 4 * i)).ToList();
        return Nullable.GetUnderlyingType(type) is null
            ? $"({string.Join(", ", parts)})"
            : $"(bytes[{end - PureMethodService.SlotSize}] & 1) == 0 ? ({Name(type)})null : {parts[0]}";
    }

    /// <summary>Statements that make what is left of a run depend on a value.</summary>
    public static string Keep(string value, Type type)
    {
        if (type.IsByRef) return Keep(value, type.GetElementType()!);
        if (type == typeof(bool)) return $"Keep({value} ? 1u : 0u);\n";
        if (s_names.ContainsKey(type)) return $"Keep(unchecked((UInt128){value}));\n";
        if (type.IsArray) return $"Keep((uint){value}.Length);\n";
        if (Element(type) is not null)
            return $"Keep((uint){value}.Length);\nforeach (var element in {value}) Keep(element);\n";
        if (Nullable.GetUnderlyingType(type) is { } underlying)
            return Keep($"{value}.HasValue", typeof(bool)) + Keep($"{value}.GetValueOrDefault()", underlying);
        return string.Concat(type.GetGenericArguments().Select((part, i) => Keep($"{value}.Item{i + 1}", part)));
    }

    /// <summary>A type as C# names it.</summary>
    public static string Name(Type type) =>
        s_names.GetValueOrDefault(type)
        ?? (type.IsArray ? $"{Name(type.GetElementType()!)}[]"
            : Nullable.GetUnderlyingType(type) is { } underlying ? $"{Name(underlying)}?" : Text(type));

    /// <summary>A type as a page names it, with type parameters by name.</summary>
    public static string Text(Type type)
    {
        if (type.IsByRef) return Text(type.GetElementType()!);
        if (type.IsArray) return $"{Text(type.GetElementType()!)}[]";
        if (s_names.TryGetValue(type, out var name)) return name;
        var arguments = type.IsGenericType ? $"<{string.Join(", ", type.GetGenericArguments().Select(Text))}>" : "";
        return type.Name.Split('`')[0] + arguments;
    }

    private static string Number(Type type, int end)
    {
        if (type == typeof(bool)) return $"(bytes[{end - 1}] & 1) != 0";
        if (type == typeof(byte) || type == typeof(sbyte)) return $"({Name(type)})bytes[{end - 1}]";
        var read = type == typeof(char) ? "UInt16" : type == typeof(nint) ? "Int64"
            : type == typeof(nuint) ? "UInt64" : type.Name;
        return $"({Name(type)})BinaryPrimitives.Read{read}BigEndian(bytes[{end - Types.Width(type)!.Value / 8}..])";
    }

    private static Type? Element(Type type) =>
        type.IsArray && type.GetArrayRank() == 1 ? type.GetElementType()
        : Types.IsSpan(type) ? type.GetGenericArguments()[0] : null;

    private static bool IsTuple(Type type) =>
        Nullable.GetUnderlyingType(type) is not null
        || type.IsGenericType && type.GetGenericTypeDefinition() == typeof(ValueTuple<,>);
}
