namespace Emu.Compiler.Refusals;

/// <summary>The table from types and members of .NET that hardware has not to what to write instead.</summary>
internal static partial class WaysOut
{
    /// <summary>
    /// The advice by name; earlier entries are more to the point, where a type is derived from several.
    /// </summary>
    private static readonly Dictionary<string, (int Order, WayOut Advice)> s_table =
        (from row in Table()
         from name in row.Names.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)
         select (Name: name, row.Advice))
        .Select((entry, order) => (entry.Name, entry.Advice, Order: order))
        .ToDictionary(entry => entry.Name, entry => (entry.Order, entry.Advice));

    /// <summary>The types, members and namespaces with advice; a member of any type begins with a point.</summary>
    internal static IEnumerable<string> Names => s_table.Keys;

    /// <summary>
    /// Tells members that are in the table themselves: some of Emu's are, which are for constructors.
    /// </summary>
    public static bool IsListed(TypeNames type, string member) => s_table.ContainsKey($"{type.FullName}.{member}");

    /// <summary>
    /// The advice for a member of .NET: its own, its type's, that of its name, of what its type is derived from, of its
    /// namespace.
    /// </summary>
    /// <param name="type">The type that declares it.</param>
    /// <param name="member">The name that C# has for it: that of the property behind an accessor.</param>
    public static WayOut? Find(TypeNames type, string member) =>
        Advice($"{type.FullName}.{member}") ?? FindNearest(type, $".{member}");

    /// <summary>The advice for the members of a name, whose type has none; null without one.</summary>
    public static WayOut? FindByName(string member) => Advice($".{member}");

    /// <summary>The advice for a type of .NET: its own, that of what it is derived from, of its namespace.</summary>
    public static WayOut? Find(TypeNames type) => FindNearest(type, member: "");

    /// <summary>Words for a member: <c>DateTime.UtcNow</c>, <c>new Random</c>, <c>operator == of String</c>.</summary>
    public static string Text(TypeNames type, string member) => member switch
    {
        ".ctor" => $"new {type.ShortName}",
        "Item" => $"the indexer of {type.ShortName}",
        "op_Implicit" or "op_Explicit" => $"a conversion from or to {type.ShortName}",
        _ when s_operators.TryGetValue(member, out var symbol) => $"operator {symbol} of {type.ShortName}",
        _ => $"{type.ShortName}.{member}",
    };

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

    private static WayOut? FindNearest(TypeNames type, string member) =>
        NamesOf(type, member).Select(Advice).FirstOrDefault(advice => advice is not null);

    private static WayOut? Advice(string name) => s_table.TryGetValue(name, out var entry) ? entry.Advice : null;

    /// <summary>Under which names there may be advice, the nearest first.</summary>
    private static IEnumerable<string> NamesOf(TypeNames type, string member)
    {
        yield return type.FullName;
        yield return member;
        foreach (var name in type.Bases.Where(s_table.ContainsKey).OrderBy(name => s_table[name].Order))
            yield return name;
        for (var name = type.Namespace; name.Length > 0; name = name.Substring(0, Math.Max(0, name.LastIndexOf('.'))))
            yield return name;
    }
}
