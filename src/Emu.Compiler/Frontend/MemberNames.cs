using System.Reflection;
using Emu.Compiler.Refusals;

namespace Emu.Compiler.Frontend;

/// <summary>The names of types and members that reflection finds.</summary>
internal static class MemberNames
{
    /// <summary>The names of a type.</summary>
    public static TypeNames Of(Type type) =>
        new(FullName(type), type.Namespace ?? "", type.Name, [.. Bases(type).Select(FullName)]);

    /// <summary>The names of a member's type, and the name that C# has for the member.</summary>
    public static (TypeNames Type, string Member) Of(MethodBase method) =>
        (Of(method.DeclaringType!), Member(method));

    private static string Member(MethodBase method) =>
        method.Name is ['g' or 's', 'e', 't', '_', .. var property] && method.IsSpecialName ? property : method.Name;

    private static string FullName(Type type) =>
        (type.IsGenericType ? type.GetGenericTypeDefinition() : type).FullName ?? type.Name;

    private static IEnumerable<Type> Bases(Type type)
    {
        for (var at = type.BaseType; at is not null; at = at.BaseType) yield return at;
        foreach (var face in type.GetInterfaces()) yield return face;
    }
}
