using System.Reflection;
using System.Xml.Linq;

namespace Emu.Tool;

/// <summary>The XML documentation beside assemblies.</summary>
internal sealed class XmlDocs
{
    private readonly Dictionary<string, XElement> _members = new(StringComparer.Ordinal);

    /// <summary>Reads what the compiler wrote beside an assembly.</summary>
    public XmlDocs(IEnumerable<Assembly> assemblies)
    {
        foreach (var assembly in assemblies)
        {
            var file = Path.ChangeExtension(assembly.Location, ".xml");
            foreach (var member in XDocument.Load(file, LoadOptions.PreserveWhitespace).Descendants("member"))
                _members[(string)member.Attribute("name")!] = member;
        }
    }

    /// <summary>The documentation of a type or member, inherited where it says so; null when there is none.</summary>
    public XElement? Of(MemberInfo member)
    {
        var own = _members.GetValueOrDefault(DocId.Of(member));
        if (own?.Element("inheritdoc") is not { } inherit) return own;
        if ((string?)inherit.Attribute("cref") is { } cref) return _members.GetValueOrDefault(cref);
        return Above(member).Select(Of).FirstOrDefault(inherited => inherited is not null)
            ?? Above(member).Select(Foreign).FirstOrDefault();
    }

    /// <summary>The name of a member of .NET, whose documentation is not here.</summary>
    private static XElement Foreign(MemberInfo member) => new(
        "member",
        new XElement(
            "summary", "As ", new XElement("c", $"{Signature.Name(member.DeclaringType!)}.{member.Name}"), "."));

    /// <summary>The members that one implements or overrides, the nearest first.</summary>
    private static IEnumerable<MemberInfo> Above(MemberInfo member)
    {
        if (member is Type type) return Bases(type);
        return Bases(member.DeclaringType!)
            .Select(above => above.IsConstructedGenericType ? above.GetGenericTypeDefinition() : above)
            .SelectMany(above => above.GetMember(
                member.Name.Split('.')[^1],
                BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static))
            .Where(above => above.MemberType == member.MemberType && Parameters(above) == Parameters(member));
    }

    private static IEnumerable<Type> Bases(Type type)
    {
        for (var at = type.BaseType; at is not null; at = at.BaseType) yield return at;
        foreach (var implemented in type.GetInterfaces()) yield return implemented;
    }

    private static int Parameters(MemberInfo member) => member switch
    {
        MethodBase method => method.GetParameters().Length,
        PropertyInfo property => property.GetIndexParameters().Length,
        _ => 0,
    };
}
