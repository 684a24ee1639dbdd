using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Emu.Tool;

/// <summary>Types and members as their C# declares them.</summary>
internal static class Signature
{
    private static readonly Dictionary<Type, string> s_keywords = new()
    {
        [typeof(bool)] = "bool",
        [typeof(byte)] = "byte",
        [typeof(sbyte)] = "sbyte",
        [typeof(short)] = "short",
        [typeof(ushort)] = "ushort",
        [typeof(int)] = "int",
        [typeof(uint)] = "uint",
        [typeof(long)] = "long",
        [typeof(ulong)] = "ulong",
        [typeof(char)] = "char",
        [typeof(float)] = "float",
        [typeof(double)] = "double",
        [typeof(decimal)] = "decimal",
        [typeof(string)] = "string",
        [typeof(object)] = "object",
        [typeof(void)] = "void",
    };

    /// <summary>A type's name with its parameters, without its namespace.</summary>
    public static string Name(Type type)
    {
        if (type.IsByRef) return Name(type.GetElementType()!);
        if (type.IsPointer) return $"{Name(type.GetElementType()!)}*";
        if (type.IsArray)
            return $"{Name(type.GetElementType()!)}[{new string(',', type.GetArrayRank() - 1)}]";
        if (Nullable.GetUnderlyingType(type) is { } value) return $"{Name(value)}?";
        if (s_keywords.TryGetValue(type, out var keyword)) return keyword;
        var arguments = type.GetGenericArguments();
        if (type.FullName?.StartsWith("System.ValueTuple`", StringComparison.Ordinal) == true)
            return $"({string.Join(", ", arguments.Select(Name))})";
        var outer = type is { IsNested: true, IsGenericParameter: false } ? $"{Name(type.DeclaringType!)}." : "";
        var tick = type.Name.IndexOf('`');
        return tick < 0
            ? outer + type.Name
            : $"{outer}{type.Name[..tick]}<{string.Join(", ", arguments.Select(Name))}>";
    }

    /// <summary>The first line of a type's declaration.</summary>
    public static string Declaration(Type type)
    {
        if (typeof(Delegate).IsAssignableFrom(type))
        {
            var invoke = type.GetMethod("Invoke")!;
            return $"public delegate {Name(invoke.ReturnType)} {Name(type)}({Parameters(invoke.GetParameters())})";
        }
        var kind = type.IsEnum ? "enum"
            : type.IsInterface ? "interface"
            : type.IsValueType
                ? $"{(Has<IsReadOnlyAttribute>(type) ? "readonly " : "")}{(type.IsByRefLike ? "ref " : "")}struct"
            : type is { IsAbstract: true, IsSealed: true } ? "static class"
            : $"{(type.IsAbstract ? "abstract " : type.IsSealed ? "sealed " : "")}class";
        List<Type> bases = type.IsEnum ? [] : [.. Interfaces(type)];
        if (type is { IsClass: true, BaseType: { } parent } && parent != typeof(object)) bases.Insert(0, parent);
        var list = bases.Count > 0 ? $" : {string.Join(", ", bases.Select(Name))}" : "";
        return $"public {kind} {Name(type)}{list}";
    }

    /// <summary>A member's declaration, without its body.</summary>
    public static string Declaration(MemberInfo member) => member switch
    {
        ConstructorInfo constructor =>
            $"{Access(constructor)}{Plain(constructor.DeclaringType!)}({Parameters(constructor.GetParameters())})",
        MethodInfo method => $"{Access(method)}{Returned(method.ReturnParameter)} {Operator(method)}"
            + (method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(Name))}>" : "")
            + $"({Parameters(method.GetParameters())})",
        PropertyInfo property => Property(property),
        EventInfo happening => $"public event {Name(happening.EventHandlerType!)} {happening.Name}",
        FieldInfo field => Field(field),
        _ => member.Name,
    };

    private static string Field(FieldInfo field) => field.DeclaringType!.IsEnum
        ? $"{field.Name} = {Convert.ToString(field.GetRawConstantValue(), CultureInfo.InvariantCulture)}"
        : $"{(field.IsFamily ? "protected" : "public")} "
            + (field.IsLiteral ? "const " : field.IsStatic ? "static " : "")
            + $"{(field.IsInitOnly ? "readonly " : "")}{Name(field.FieldType)} {field.Name}"
            + (field.IsLiteral ? $" = {Value(field.GetRawConstantValue(), field.FieldType)}" : "");

    private static string Property(PropertyInfo property)
    {
        var (get, set) = (Seen(property.GetMethod), Seen(property.SetMethod));
        var index = property.GetIndexParameters();
        var name = index.Length > 0 ? $"this[{Parameters(index)}]" : property.Name;
        var isInit = set?.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit)) == true;
        var nullable = new NullabilityInfoContext().Create(property).ReadState == NullabilityState.Nullable
            && !property.PropertyType.IsValueType ? "?" : "";
        return $"{Access((get ?? set)!)}{(Has<RequiredMemberAttribute>(property) ? "required " : "")}"
            + $"{(property.PropertyType.IsByRef ? "ref " : "")}{Name(property.PropertyType)}{nullable} {name} "
            + $"{{ {(get is null ? "" : "get; ")}{(set is null ? "" : isInit ? "init; " : "set; ")}}}";
    }

    private static MethodInfo? Seen(MethodInfo? method) =>
        method is { IsPublic: true } or { IsFamily: true } or { IsFamilyOrAssembly: true } ? method : null;

    private static string Access(MethodBase method) =>
        $"{(method.IsPublic ? "public" : "protected")} {(method.IsStatic ? "static " : "")}"
        + (method is { IsAbstract: true, DeclaringType.IsInterface: false } ? "abstract " : IsVirtual(method));

    private static string IsVirtual(MethodBase method) =>
        method is MethodInfo { IsVirtual: true, IsFinal: false, DeclaringType.IsInterface: false } own
            ? own.GetBaseDefinition() == own ? "virtual " : "override "
            : "";

    private static string Returned(ParameterInfo returned) =>
        (returned.ParameterType.IsByRef
            ? returned.GetRequiredCustomModifiers().Length > 0 ? "ref readonly " : "ref "
            : "")
        + Name(returned.ParameterType) + Nullability(returned);

    private static string Operator(MethodInfo method) =>
        !method.IsSpecialName ? method.Name
        : method.Name is "op_Implicit" ? "implicit operator"
        : method.Name is "op_Explicit" ? "explicit operator"
        : $"operator {method.Name.Replace("op_", "", StringComparison.Ordinal)}";

    private static string Parameters(ParameterInfo[] parameters) => string.Join(", ", parameters.Select(Parameter));

    private static string Parameter(ParameterInfo parameter)
    {
        var way = parameter.IsOut ? "out "
            : parameter.ParameterType.IsByRef ? parameter.IsIn ? "in " : "ref "
            : Has<ParamArrayAttribute>(parameter) || Has<ParamCollectionAttribute>(parameter) ? "params "
            : "";
        var standard = parameter.HasDefaultValue
            ? $" = {Value(parameter.RawDefaultValue, parameter.ParameterType)}"
            : "";
        return $"{way}{Name(parameter.ParameterType)}{Nullability(parameter)} {parameter.Name}{standard}";
    }

    private static string Nullability(ParameterInfo parameter) =>
        !parameter.ParameterType.IsValueType && !parameter.ParameterType.IsByRef
        && new NullabilityInfoContext().Create(parameter).ReadState == NullabilityState.Nullable ? "?" : "";

    private static string Value(object? value, Type type) => value switch
    {
        null => type.IsValueType ? "default" : "null",
        bool truth => truth ? "true" : "false",
        string text => $"\"{text}\"",
        _ when type.IsEnum => $"{Name(type)}.{Enum.ToObject(type, value)}",
        _ => Convert.ToString(value, CultureInfo.InvariantCulture)!,
    };

    private static string Plain(Type type)
    {
        var tick = type.Name.IndexOf('`');
        return tick < 0 ? type.Name : type.Name[..tick];
    }

    /// <summary>The interfaces that a type names itself, of those that are public.</summary>
    private static IEnumerable<Type> Interfaces(Type type)
    {
        var all = type.GetInterfaces();
        var inherited = (type.BaseType?.GetInterfaces() ?? []).Concat(all.SelectMany(one => one.GetInterfaces()));
        return all.Except(inherited).Where(one => one.IsVisible);
    }

    private static bool Has<T>(ICustomAttributeProvider member)
        where T : Attribute => member.IsDefined(typeof(T), inherit: false);
}
