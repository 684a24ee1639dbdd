using System.Reflection;

namespace Emu.Compiler.Frontend;

/// <summary>The table from types and members of .NET that hardware has not to what to write instead.</summary>
internal static partial class WaysOut
{
    /// <summary>Earlier entries are more to the point, where a type is derived from several.</summary>
    private static readonly OrderedDictionary<string, WayOut> s_table =
        new(from row in Table()
            from name in row.Names.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)
            select KeyValuePair.Create(name, row.Advice));

    /// <summary>The types, members and namespaces with advice; a member of any type begins with a point.</summary>
    internal static IEnumerable<string> Names => s_table.Keys;

    /// <summary>
    /// Tells members that are in the table themselves: some of Emu's are, which are for constructors.
    /// </summary>
    public static bool IsListed(MethodBase method) =>
        s_table.ContainsKey($"{NameOf(method.DeclaringType!)}.{MemberName(method)}");

    /// <summary>
    /// The advice for a member of .NET: its own, its type's, that of its name, of what its type is derived from, of its
    /// namespace.
    /// </summary>
    public static WayOut? Find(MethodBase method)
    {
        var type = method.DeclaringType!;
        var name = MemberName(method);
        return s_table.GetValueOrDefault($"{NameOf(type)}.{name}") ?? Find(type, $".{name}");
    }

    /// <summary>The advice for a type of .NET: its own, that of what it is derived from, of its namespace.</summary>
    public static WayOut? Find(Type type) => Find(type, member: "");

    /// <summary>Words for a member: <c>DateTime.UtcNow</c>, <c>new Random</c>, <c>operator == of String</c>.</summary>
    public static string Text(MethodBase method)
    {
        var type = ShortName(method.DeclaringType!);
        var name = MemberName(method);
        if (method.IsConstructor) return $"new {type}";
        if (name == "Item") return $"the indexer of {type}";
        return s_operators.TryGetValue(name, out var symbol) ? $"operator {symbol} of {type}"
            : name is "op_Implicit" or "op_Explicit" ? $"a conversion from or to {type}" : $"{type}.{name}";
    }

    /// <summary>The name of a type without its type parameters.</summary>
    public static string ShortName(Type type) => type.Name.Split('`')[0];

    private static readonly Dictionary<string, string> s_operators = new()
    {
        ["op_Equality"] = "==",
        ["op_Inequality"] = "!=",
        ["op_LessThan"] = "<",
        ["op_GreaterThan"] = ">",
        ["op_LessThanOrEqual"] = "<=",
        ["op_GreaterThanOrEqual"] = ">=",
        ["op_Addition"] = "+",
        ["op_Subtraction"] = "-",
        ["op_Multiply"] = "*",
        ["op_Division"] = "/",
        ["op_Modulus"] = "%",
    };

    private static WayOut? Find(Type type, string member) =>
        NamesOf(type, member)
            .Select(s_table.GetValueOrDefault)
            .FirstOrDefault(advice => advice is not null);

    private static string NameOf(Type type) =>
        (type.IsGenericType ? type.GetGenericTypeDefinition() : type).FullName ?? type.Name;

    /// <summary>The name that C# has for it: that of the property behind an accessor.</summary>
    private static string MemberName(MethodBase method) =>
        method.Name is ['g' or 's', 'e', 't', '_', .. var property] && method.IsSpecialName ? property : method.Name;

    /// <summary>Under which names there may be advice, the nearest first.</summary>
    private static IEnumerable<string> NamesOf(Type type, string member)
    {
        yield return NameOf(type);
        yield return member;
        foreach (var name in Bases(type).Select(NameOf).Where(s_table.ContainsKey).OrderBy(s_table.IndexOf))
            yield return name;
        for (var name = type.Namespace; name is { Length: > 0 }; name = name[..Math.Max(0, name.LastIndexOf('.'))])
            yield return name;
    }

    private static IEnumerable<Type> Bases(Type type)
    {
        for (var at = type.BaseType; at is not null; at = at.BaseType) yield return at;
        foreach (var face in type.GetInterfaces()) yield return face;
    }
}

/// <summary>Advice for what does not compile.</summary>
/// <param name="Instead">The advice: an imperative without a full stop.</param>
/// <param name="Number">The number of the diagnostic; null for the one that fits its use.</param>
/// <param name="What">The refused action, where the member's name alone does not tell.</param>
internal sealed record WayOut(string Instead, int? Number = null, string? What = null);
