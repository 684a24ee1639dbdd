using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;
using Emu.Compiler.Frontend;

namespace Emu.Compiler.Tests;

/// <summary>The public members of the types of .NET of which some compile, each as the calls that try it.</summary>
internal static class DotNetMembers
{
    private const BindingFlags Public =
        BindingFlags.Public | BindingFlags.Static | BindingFlags.Instance | BindingFlags.DeclaredOnly;

    /// <summary>Integers of every width and sign, for type parameters that stand for one.</summary>
    private static readonly Type[] s_widths =
    [
        typeof(byte), typeof(sbyte), typeof(ushort), typeof(int), typeof(uint), typeof(long), typeof(ulong),
        typeof(Int128), typeof(UInt128),
    ];

    private static readonly Type[] s_elements = [typeof(byte), typeof(uint)];

    /// <summary>The members that cannot be tried by calling them alone.</summary>
    private static readonly DotNetCall[] s_others =
    [
        new(typeof(Array), "Length", "", "System.Array.get_Length/0", "Keep((uint)_first.Length);"),
        OfArray("Clear", "(Array)", "Clear/1", "Array.Clear(_first);"),
        OfArray("Clear", "(Array, int, int)", "Clear/3", "Array.Clear(_first, bytes[14] & 3, bytes[15] & 3);"),
        OfArray("Copy", "(Array, Array, int)", "Copy/3", "Array.Copy(_first, _second, bytes[14] & 7);"),
        OfArray(
            "Copy", "(Array, int, Array, int, int)", "Copy/5",
            "Array.Copy(_first, bytes[14] & 3, _first, bytes[15] & 3, bytes[16] & 3);"),
        OfArray("Fill", "(T[], T)", "Fill/2", "Array.Fill(_first, bytes[14]);"),
        OfArray("Fill", "(T[], T, int, int)", "Fill/4", "Array.Fill(_first, 7u, bytes[14] & 3, bytes[15] & 3);"),
        OfArray("IndexOf", "(T[], T)", "IndexOf/2", "Keep((uint)Array.IndexOf(_first, bytes[14]));"),
        OfArray("LastIndexOf", "(T[], T)", "LastIndexOf/2", "Keep((uint)Array.LastIndexOf(_first, bytes[14]));"),
        OfArray("Reverse", "(T[])", "Reverse/1", "Array.Reverse(_first);"),
        new(typeof(Enum), "HasFlag", "(Enum)", "System.Enum.HasFlag/1",
            "Keep(((TcpFlags)bytes[14]).HasFlag(TcpFlags.Syn) ? 1u : 0u);"),
        new(typeof(Type), "operator ==", "(Type, Type)", "System.Type.op_Equality/2", "Keep(Same<byte>() ? 1u : 0u);"),
        new(typeof(Type), "operator !=", "(Type, Type)", "System.Type.op_Inequality/2",
            "Keep(Different<byte>() ? 1u : 0u);"),
        new(typeof(RuntimeHelpers), "CreateSpan", "(RuntimeFieldHandle)",
            "System.Runtime.CompilerServices.RuntimeHelpers.CreateSpan/1",
            "ReadOnlySpan<uint> data = [1, 2, 3]; Keep(data[bytes[14] & 3]);"),
        new(typeof(EqualityComparer<>), "Default.Equals", "(T, T)",
            "System.Collections.Generic.EqualityComparer`1.Equals/2",
            "Keep(EqualityComparer<int>.Default.Equals(bytes[14], bytes[15]) ? 1u : 0u);"),
        new(typeof(Comparer<>), "Default.Compare", "(T, T)",
            "System.Collections.Generic.Comparer`1.Compare/2",
            "Keep((uint)Comparer<int>.Default.Compare(bytes[14], bytes[15]));"),
    ];

    private static DotNetCall OfArray(string member, string signature, string model, string body) =>
        new(typeof(Array), member, signature, $"System.Array.{model}", body + " Keep(_first[2]); Keep(_second[1]);");

    /// <summary>All that is tried.</summary>
    public static IEnumerable<DotNetCall> All() => Types().SelectMany(Of).Concat(s_others);

    /// <summary>The public types of models and those whose CIL is translated.</summary>
    private static IEnumerable<Type> Types() => Translator.TranslatedTypes
        .Concat(Translator.Models.Select(TypeOf).OfType<Type>())
        .Concat([typeof(ValueTuple<,>), typeof(Ascii)])
        .Where(type => type.IsPublic && !s_others.Any(other => other.Type == type))
        .Distinct();

    /// <summary>The type of a model's method; null for none of .NET's, and for what stands for a processor.</summary>
    private static Type? TypeOf(string model)
    {
        var member = model[..model.LastIndexOf('/')];
        var type = typeof(object).Assembly.GetType(member[..member.LastIndexOf('.')].TrimEnd('.'));
        return type?.Namespace?.StartsWith("System.Runtime.Intrinsics", StringComparison.Ordinal) == true ? null : type;
    }

    private static IEnumerable<DotNetCall> Of(Type type) =>
        from closed in Closed(type)
        from member in closed.GetMembers(Public).OfType<MethodBase>()
        let definition = type.GetMembers(Public).OfType<MethodBase>()
            .Single(m => m.MetadataToken == member.MetadataToken)
        from method in Closed(member)
        let call = DotNetCall.Of(method, definition)
        where call is not null
        select call;

    private static IEnumerable<Type> Closed(Type type)
    {
        if (!type.IsGenericTypeDefinition) return [type];
        if (type == typeof(ValueTuple<,>)) return [typeof(ValueTuple<int, byte>)];
        if (type == typeof(Nullable<>)) return [typeof(int?)];
        return s_elements.Select(argument => type.MakeGenericType(argument));
    }

    private static IEnumerable<MethodBase> Closed(MethodBase method)
    {
        if (!method.IsGenericMethodDefinition) return [method];
        var choices = SubsetType.Integers.Contains(method.DeclaringType!) ? s_widths : s_elements;
        return choices.Select(choice => Closed((MethodInfo)method, choice)).OfType<MethodBase>();
    }

    private static MethodInfo? Closed(MethodInfo method, Type choice)
    {
        try
        {
            return method.MakeGenericMethod([.. method.GetGenericArguments().Select(_ => choice)]);
        }
        catch (ArgumentException)
        {
            return null; // It is not for such a type.
        }
    }
}
