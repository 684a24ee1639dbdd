using System.Reflection;
using System.Text.RegularExpressions;
using System.Xml;
using System.Xml.Linq;

namespace Emu.Hosting;

/// <summary>
/// The XML documentation that the compiler writes beside an assembly, as plain text; empty where there is none.
/// </summary>
public sealed partial class XmlDocumentation
{
    private readonly Dictionary<string, XElement> _members = [];

    /// <summary>Reads the file beside an assembly, if there is one.</summary>
    public XmlDocumentation(Assembly assembly)
    {
        ArgumentNullException.ThrowIfNull(assembly);
        var file = Path.ChangeExtension(assembly.Location, ".xml");
        if (!File.Exists(file)) return;
        try
        {
            foreach (var member in XDocument.Load(file).Descendants("member"))
                _members[(string?)member.Attribute("name") ?? ""] = member;
        }
        catch (XmlException)
        {
            // Help without texts is better than none.
        }
    }

    /// <summary>The summary of a type.</summary>
    public string Summary(Type type) => Text(TypeKey(type), "summary");

    /// <summary>The summary of a property.</summary>
    public string Summary(PropertyInfo property)
    {
        ArgumentNullException.ThrowIfNull(property);
        return Text($"P:{property.DeclaringType!.FullName}.{property.Name}", "summary");
    }

    /// <summary>The example of a type: the arguments to try it with.</summary>
    public string Example(Type type) => Text(TypeKey(type), "example");

    /// <summary>The text on a constructor's parameter; a primary constructor has it on its type.</summary>
    public string Parameter(ConstructorInfo constructor, string name)
    {
        ArgumentNullException.ThrowIfNull(constructor);
        var type = constructor.DeclaringType!;
        var keys = _members.Keys.Where(k => k.StartsWith($"M:{type.FullName}.#ctor", StringComparison.Ordinal))
            .Append(TypeKey(type));
        return keys.Select(key => Text(key, "param", name)).FirstOrDefault(text => text.Length > 0, "");
    }

    private static string TypeKey(Type type) => $"T:{type.FullName}";

    private string Text(string key, string element, string? name = null)
    {
        if (!_members.TryGetValue(key, out var member)) return "";
        var found = member.Elements(element).FirstOrDefault(e => name is null || (string?)e.Attribute("name") == name);
        return found is null ? "" : Blanks().Replace(string.Concat(found.Nodes().Select(PlainText)), " ").Trim();
    }

    private static string PlainText(XNode node) => node switch
    {
        XText text => text.Value,
        XElement { Name.LocalName: "see" or "paramref" or "typeparamref" } reference => LastName(reference),
        XElement element => string.Concat(element.Nodes().Select(PlainText)),
        _ => "",
    };

    private static string LastName(XElement reference)
    {
        var target = (string?)reference.Attribute("cref")
            ?? (string?)reference.Attribute("name")
            ?? (string?)reference.Attribute("langword")
            ?? reference.Value;
        return target[(target.Split('(')[0].LastIndexOfAny(['.', ':']) + 1)..];
    }

    [GeneratedRegex(@"\s+")]
    private static partial Regex Blanks();
}
