using System.Reflection;
using System.Runtime.CompilerServices;

namespace Emu.Tool;

/// <summary>The public types of Emu's packages and their members, in the order of the reference.</summary>
internal sealed class ApiReference
{
    private static readonly string[] s_packages =
    [
        "Emu.Core", "Emu.Protocols", "Emu.Hosting", "Emu.Testing", "Emu.Clocked", "Emu.Compiler", "Emu.Simulation",
        "Emu.Direction",
    ];

    private readonly Dictionary<string, Type> _byDocId;

    /// <summary>Loads the packages that lie beside the command.</summary>
    public ApiReference()
    {
        List<Assembly> assemblies = [.. s_packages.Select(Assembly.Load)];
        Docs = new XmlDocs(assemblies);
        Types = [.. assemblies.SelectMany(assembly => assembly.GetExportedTypes())
            .OrderBy(type => type.Namespace, StringComparer.Ordinal)
            .ThenBy(Signature.Name, StringComparer.Ordinal)];
        _byDocId = Types.ToDictionary(DocId.Of);
    }

    /// <summary>All types.</summary>
    public IReadOnlyList<Type> Types { get; }

    /// <summary>Their documentation.</summary>
    public XmlDocs Docs { get; }

    /// <summary>The type that a reference such as <c>T:Emu.Frame</c> or <c>M:Emu.Frame.Drop</c> leads to.</summary>
    public Type? Find(string docId)
    {
        if (_byDocId.TryGetValue(docId, out var type)) return type;
        var end = docId.IndexOf('(') is var bracket and >= 0 ? bracket : docId.Length;
        var dot = docId.LastIndexOf('.', end - 1);
        return dot < 0 ? null : _byDocId.GetValueOrDefault($"T:{docId[2..dot]}");
    }

    /// <summary>
    /// The members that a type declares itself and users see, constructors first; without what the compiler of C# adds
    /// to records.
    /// </summary>
    public static IEnumerable<MemberInfo> Members(Type type)
    {
        if (typeof(Delegate).IsAssignableFrom(type)) return [];
        const BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static
            | BindingFlags.Instance | BindingFlags.DeclaredOnly;
        return type.GetMembers(All).Where(IsShown).OrderBy(Rank).ThenBy(member => member.Name, StringComparer.Ordinal);
    }

    private static bool IsShown(MemberInfo member) => member switch
    {
        _ when member.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false) => false,
        ConstructorInfo constructor => IsSeen(constructor) && !constructor.IsStatic,
        MethodInfo method => IsSeen(method) && !method.Name.Contains('<')
            && (!method.IsSpecialName || method.Name.StartsWith("op_", StringComparison.Ordinal)),
        PropertyInfo property => property.GetAccessors(nonPublic: true).Any(IsSeen)
            && property.Name != "EqualityContract",
        EventInfo happening => IsSeen(happening.AddMethod!),
        FieldInfo field => (field.IsPublic || field.IsFamily) && !field.IsSpecialName,
        _ => false,
    };

    private static bool IsSeen(MethodBase method) => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly;

    private static int Rank(MemberInfo member) => member switch
    {
        ConstructorInfo => 0,
        FieldInfo => 1,
        PropertyInfo => 2,
        EventInfo => 3,
        MethodInfo { IsSpecialName: false } => 4,
        _ => 5,
    };
}
