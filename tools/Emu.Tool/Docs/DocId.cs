using System.Reflection;

namespace Emu.Tool;

/// <summary>The names of types and members in XML documentation (ECMA-334 §D.4.2).</summary>
internal static class DocId
{
    /// <summary>The name of a type.</summary>
    public static string Of(Type type) => $"T:{Definition(type)}";

    /// <summary>The name of a member.</summary>
    public static string Of(MemberInfo member) => member switch
    {
        Type type => Of(type),
        ConstructorInfo constructor => $"M:{Definition(constructor.DeclaringType!)}.#ctor{Parameters(constructor)}",
        MethodInfo method => $"M:{Definition(method.DeclaringType!)}.{method.Name.Replace('.', '#')}{Arity(method)}"
            + $"{Parameters(method)}{Conversion(method)}",
        PropertyInfo property => $"P:{Definition(property.DeclaringType!)}.{property.Name.Replace('.', '#')}"
            + Parameters(property.GetIndexParameters()),
        EventInfo happening => $"E:{Definition(happening.DeclaringType!)}.{happening.Name}",
        _ => $"F:{Definition(member.DeclaringType!)}.{member.Name}",
    };

    private static string Definition(Type type)
    {
        if (type.IsGenericType) type = type.GetGenericTypeDefinition();
        return type.FullName!.Replace('+', '.');
    }

    private static string Arity(MethodInfo method) =>
        method.IsGenericMethod ? $"``{method.GetGenericArguments().Length}" : "";

    private static string Conversion(MethodInfo method) =>
        method.Name is "op_Implicit" or "op_Explicit" ? $"~{Use(method.ReturnType)}" : "";

    private static string Parameters(MethodBase method) => Parameters(method.GetParameters());

    private static string Parameters(ParameterInfo[] parameters) =>
        parameters.Length == 0 ? "" : $"({string.Join(',', parameters.Select(p => Use(p.ParameterType)))})";

    /// <summary>A type as it is used in a list of parameters.</summary>
    private static string Use(Type type)
    {
        if (type.IsByRef) return $"{Use(type.GetElementType()!)}@";
        if (type.IsPointer) return $"{Use(type.GetElementType()!)}*";
        if (type.IsSZArray) return $"{Use(type.GetElementType()!)}[]";
        if (type.IsArray)
            return $"{Use(type.GetElementType()!)}[{string.Join(',', Enumerable.Repeat("0:", type.GetArrayRank()))}]";
        if (type.IsGenericMethodParameter) return $"``{type.GenericParameterPosition}";
        if (type.IsGenericParameter) return $"`{type.GenericParameterPosition}";
        if (!type.IsGenericType) return Definition(type);
        // The arguments of outer types come first, and stand behind the type that takes them.
        var arguments = type.GetGenericArguments();
        var (name, taken) = ("", 0);
        foreach (var part in Definition(type).Split('.'))
        {
            var tick = part.IndexOf('`');
            var count = tick < 0 ? 0 : int.Parse(part[(tick + 1)..], System.Globalization.CultureInfo.InvariantCulture);
            var own = arguments.Skip(taken).Take(count).Select(Use);
            name += (name.Length > 0 ? "." : "")
                + (count == 0 ? part : $"{part[..tick]}{{{string.Join(',', own)}}}");
            taken += count;
        }
        return name;
    }
}
