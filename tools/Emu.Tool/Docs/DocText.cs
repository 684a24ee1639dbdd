using System.Xml.Linq;

namespace Emu.Tool;

/// <summary>Text of XML documentation as HTML.</summary>
internal sealed class DocText(ApiReference reference)
{
    /// <summary>The content of an element.</summary>
    public IEnumerable<object> Of(XElement? element) => element is null ? [] : element.Nodes().SelectMany(Node);

    private IEnumerable<object> Node(XNode node)
    {
        if (node is XText text) return [text.Value];
        if (node is not XElement element) return [];
        return element.Name.LocalName switch
        {
            "see" or "seealso" => [Reference(element)],
            "paramref" or "typeparamref" => [new XElement("code", (string?)element.Attribute("name"))],
            "c" => [new XElement("code", element.Value)],
            "code" => [new XElement("pre", new XElement("code", Unindented(element.Value)))],
            "para" => [new XElement("p", Of(element))],
            "list" => [new XElement("ul", element.Elements("item").Select(item => new XElement("li", Of(item))))],
            "description" or "term" => Of(element),
            "b" or "i" or "sub" or "sup" => [new XElement(element.Name.LocalName, Of(element))],
            _ => Of(element),
        };
    }

    private XElement Reference(XElement see)
    {
        if ((string?)see.Attribute("langword") is { } word) return new XElement("code", word);
        if ((string?)see.Attribute("href") is { } address)
            return new XElement("a", new XAttribute("href", address), see.Value.Length > 0 ? see.Value : address);
        var cref = (string?)see.Attribute("cref") ?? "";
        var text = new XElement("code", see.Value.Length > 0 ? see.Value : ShortName(cref));
        if (reference.Find(cref) is not { } type) return text;
        var anchor = cref.StartsWith("T:", StringComparison.Ordinal) ? "" : $"#{ApiPage.Anchor(cref)}";
        return new XElement("a", new XAttribute("href", ApiPage.FileOf(type) + anchor), text);
    }

    /// <summary>The last part of a name, with its type's where it is a member.</summary>
    private static string ShortName(string cref)
    {
        var name = cref.Split('(')[0];
        var parts = name[(name.IndexOf(':') + 1)..].Split('.');
        var last = name.StartsWith("T:", StringComparison.Ordinal) || parts.Length < 2 ? parts[^1..] : parts[^2..];
        return string.Join('.', last.Select(part => part.Split('`')[0]))
            .Replace(".#ctor", "", StringComparison.Ordinal);
    }

    private static string Unindented(string code)
    {
        var lines = code.Trim('\n', '\r').TrimEnd().Split('\n');
        var indent = lines.Where(line => line.Trim().Length > 0)
            .Select(line => line.Length - line.TrimStart().Length).DefaultIfEmpty(0).Min();
        return string.Join('\n', lines.Select(line => line.Length >= indent ? line[indent..] : line.TrimStart()));
    }
}
