using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Emu.Compiler.Metadata;

/// <summary>
/// Structs of one field that stands for several (<see cref="InlineArrayAttribute"/>), which C# makes of <c>[a, b]</c>
/// and of <c>params</c> as well.
/// </summary>
internal static class InlineArrays
{
    private static readonly MethodInfo s_elementOf =
        typeof(InlineArrays).GetMethod(nameof(ElementOf), BindingFlags.Static | BindingFlags.NonPublic)!;

    /// <summary>The number of elements of an inline array; null for another type.</summary>
    public static int? LengthOf(Type type) => type.GetCustomAttribute<InlineArrayAttribute>()?.Length;

    /// <summary>An element of a live inline array.</summary>
    public static object? Element(object value, Type type, Type elementType, int index) =>
        s_elementOf.MakeGenericMethod(type, elementType).Invoke(null, [value, index]);

    private static T ElementOf<TBuffer, T>(object value, int index)
        where TBuffer : struct
    {
        var buffer = (TBuffer)value;
        return MemoryMarshal.CreateSpan(ref Unsafe.As<TBuffer, T>(ref buffer), LengthOf(typeof(TBuffer))!.Value)[index];
    }
}
