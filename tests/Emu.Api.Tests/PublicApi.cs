using System.Reflection;
using System.Text;

namespace Emu.Api.Tests;

/// <summary>
/// The public surface of an assembly as text: a line for each type and member, sorted,
/// so that a change shows as a diff.
/// </summary>
internal static class PublicApi
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance
        | BindingFlags.Static | BindingFlags.DeclaredOnly;

    public static string Of(Assembly assembly)
    {
        var text = new StringBuilder();
        foreach (var type in assembly.GetExportedTypes().OrderBy(type => type.FullName, StringComparer.Ordinal))
        {
            text.Append($"{Kind(type)} {Name(type)}{Bases(type)}\n");
            foreach (var line in Members(type).Order(StringComparer.Ordinal)) text.Append($"    {line}\n");
        }
        return text.ToString();
    }

    private static string Kind(Type type) =>
        type.IsEnum ? "enum"
        : type.IsInterface ? "interface"
        : type.IsSubclassOf(typeof(Delegate)) ? "delegate"
        : type.IsValueType ? (type.IsByRefLike ? "ref struct" : "struct")
        : type.IsAbstract && type.IsSealed ? "static class"
        : type.IsAbstract ? "abstract class"
        : type.IsSealed ? "sealed class"
        : "class";

    private static string Bases(Type type)
    {
        if (type.IsEnum) return $" : {Name(Enum.GetUnderlyingType(type))}";
        var bases = type.GetInterfaces()
            .Where(i => i.IsVisible && type.BaseType?.GetInterfaces().Contains(i) != true)
            .Select(Name)
            .Order(StringComparer.Ordinal).ToList();
        if (type.BaseType is { } parent && parent != typeof(object) && parent != typeof(ValueType))
            bases.Insert(0, Name(parent));
        return bases.Count == 0 ? "" : " : " + string.Join(", ", bases);
    }

    private static IEnumerable<string> Members(Type type)
    {
        if (type.IsEnum)
            return type.GetFields(BindingFlags.Public | BindingFlags.Static)
                .Select(field => $"{field.Name} = {Convert.ToUInt64(field.GetRawConstantValue())}");
        return type.GetMembers(Declared).Select(Line).OfType<string>();
    }

    private static string? Line(MemberInfo member) => member switch
    {
        FieldInfo field when IsVisible(field) =>
            $"{Static(field.IsStatic && !field.IsLiteral)}{(field.IsLiteral ? "const " : "")}{Name(field.FieldType)} "
            + $"{field.Name}",
        ConstructorInfo constructor when IsVisible(constructor) => $"new({Parameters(constructor)})",
        PropertyInfo property when property.GetAccessors(true).Any(IsVisible) =>
            $"{Static(property.GetAccessors(true)[0].IsStatic)}{Name(property.PropertyType)} {property.Name} {{ "
            + $"{Accessors(property)} }}",
        MethodInfo { IsSpecialName: false } method when IsVisible(method) => Method(method),
        MethodInfo method when IsVisible(method) && method.Name.StartsWith("op_", StringComparison.Ordinal) =>
            Method(method),
        _ => null,
    };

    private static bool IsVisible(FieldInfo field) => field.IsPublic || field.IsFamily || field.IsFamilyOrAssembly;

    private static bool IsVisible(MethodBase method) => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly;

    private static string Static(bool isStatic) => isStatic ? "static " : "";

    private static string Accessors(PropertyInfo property) =>
        string.Join(
            " ", property.GetAccessors(true).Where(IsVisible).Select(accessor => accessor.Name.Split('_')[0] + ";"));

    private static string Method(MethodInfo method) =>
        $"{Static(method.IsStatic)}{Name(method.ReturnType)} {method.Name}({Parameters(method)})";

    private static string Parameters(MethodBase method) => string.Join(", ", method.GetParameters().Select(parameter =>
        $"{(parameter.IsOut ? "out " : parameter.IsIn ? "in " : parameter.ParameterType.IsByRef ? "ref " : "")}"
        + $"{Name(parameter.ParameterType)} "
        + $"{parameter.Name}{(parameter.HasDefaultValue ? $" = {parameter.DefaultValue ?? "default"}" : "")}"));

    private static string Name(Type type)
    {
        if (type.IsByRef) return Name(type.GetElementType()!);
        if (type.IsArray) return Name(type.GetElementType()!) + "[]";
        if (type.IsPointer) return Name(type.GetElementType()!) + "*";
        if (!type.IsGenericType)
            return type.IsGenericParameter || type.Namespace == "System" ? type.Name : type.FullName ?? type.Name;
        var name = (type.Namespace == "System" ? type.Name : type.GetGenericTypeDefinition().FullName ?? type.Name)
            .Split('`')[0];
        return $"{name}<{string.Join(", ", type.GetGenericArguments().Select(Name))}>";
    }
}
