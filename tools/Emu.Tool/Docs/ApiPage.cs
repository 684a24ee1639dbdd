using System.Reflection;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace Emu.Tool;

/// <summary>The pages of the reference.</summary>
internal sealed partial class ApiPage(ApiReference reference)
{
    private readonly DocText _text = new(reference);

    /// <summary>The file of a type's page.</summary>
    public static string FileOf(Type type) => $"{Anchor(DocId.Of(type))}.html";

    /// <summary>The name of a type or member in addresses.</summary>
    public static string Anchor(string docId) => Unsafe().Replace(docId[2..].Replace("[]", "-array"), "-");

    /// <summary>The page that lists all types.</summary>
    public string Index() => Page(
        "Emu, the API",
        new XElement("h1", "Emu, the API"),
        reference.Types.GroupBy(type => type.Namespace).Select(group => new XElement(
            "section",
            new XElement("h2", group.Key),
            new XElement("table", group.Select(Row)))));

    /// <summary>The page of a type.</summary>
    public string Of(Type type)
    {
        var docs = reference.Docs.Of(type);
        return Page(
            Signature.Name(type),
            new XElement(
                "p",
                new XElement("a", new XAttribute("href", "index.html"), "all types"),
                $" · namespace {type.Namespace} · package {type.Assembly.GetName().Name}"),
            new XElement("h1", Signature.Name(type)),
            new XElement("pre", new XElement("code", Signature.Declaration(type))),
            Body(docs),
            ApiReference.Members(type).Select(member => Member(type, docs, member)));
    }

    /// <summary>The names that are searched: the text, the place, and the first words about it.</summary>
    public IEnumerable<string[]> Names()
    {
        foreach (var type in reference.Types)
        {
            var name = Signature.Name(type);
            yield return [name, FileOf(type), First(reference.Docs.Of(type))];
            foreach (var member in ApiReference.Members(type).Where(member => member is not ConstructorInfo))
            {
                var id = DocId.Of(member);
                yield return
                    [$"{name}.{member.Name}", $"{FileOf(type)}#{Anchor(id)}", First(DocsOf(type, member))];
            }
        }
    }

    private XElement Row(Type type) => new(
        "tr",
        new XElement("td", new XElement("a", new XAttribute("href", FileOf(type)), Signature.Name(type))),
        new XElement("td", _text.Of(reference.Docs.Of(type)?.Element("summary"))));

    private XElement Member(Type type, XElement? typeDocs, MemberInfo member) => new(
        "section",
        new XAttribute("id", Anchor(DocId.Of(member))),
        new XElement("pre", new XElement("code", Signature.Declaration(member))),
        Body(DocsOf(type, member) ?? Parameter(typeDocs, member)));

    private XElement? DocsOf(Type type, MemberInfo member) =>
        reference.Docs.Of(member) ?? Parameter(reference.Docs.Of(type), member);

    /// <summary>A property of a record is described by the record's parameter.</summary>
    private static XElement? Parameter(XElement? typeDocs, MemberInfo member) =>
        member is PropertyInfo && typeDocs?.Elements("param")
            .FirstOrDefault(parameter => (string?)parameter.Attribute("name") == member.Name) is { } found
            ? new XElement("member", new XElement("summary", found.Nodes()))
            : null;

    private IEnumerable<XElement> Body(XElement? docs)
    {
        if (docs is null) yield break;
        if (docs.Element("summary") is { } summary) yield return new XElement("div", _text.Of(summary));
        var named = docs.Elements()
            .Where(part => part.Name.LocalName is "typeparam" or "param" or "exception").ToList();
        if (docs.Element("returns") is { } returned) named.Add(returned);
        if (named.Count > 0) yield return new XElement("table", named.Select(Part));
        if (docs.Element("remarks") is { } remarks) yield return new XElement("div", _text.Of(remarks));
        if (docs.Element("example") is { } example)
        {
            yield return new XElement("p", "Example:");
            yield return new XElement("div", _text.Of(example));
        }
    }

    private XElement Part(XElement part)
    {
        var name = part.Name.LocalName switch
        {
            "returns" => "returns",
            "exception" => ((string?)part.Attribute("cref") ?? "").Split('.')[^1],
            _ => (string?)part.Attribute("name") ?? "",
        };
        return new XElement(
            "tr", new XElement("td", new XElement("code", name)), new XElement("td", _text.Of(part)));
    }

    private static string First(XElement? docs)
    {
        var text = Spaces().Replace(docs?.Element("summary")?.Value ?? "", " ").Trim();
        var end = text.IndexOf(". ", StringComparison.Ordinal);
        return end < 0 ? text : text[..(end + 1)];
    }

    private static string Page(string title, params object?[] content) => "<!DOCTYPE html>\n" + new XElement(
        "html",
        new XAttribute("lang", "en"),
        new XElement(
            "head",
            new XElement("meta", new XAttribute("charset", "utf-8")),
            new XElement(
                "meta", new XAttribute("name", "viewport"), new XAttribute("content", "width=device-width")),
            new XElement("title", title),
            new XElement(
                "link", new XAttribute("rel", "stylesheet"), new XAttribute("href", "docs.css"))),
        new XElement(
            "body",
            new XElement(
                "input",
                new XAttribute("id", "search"), new XAttribute("type", "search"),
                new XAttribute("placeholder", "a name, or words about it"), new XAttribute("aria-label", "Search")),
            new XElement("ul", new XAttribute("id", "found"), ""),
            new XElement("main", content),
            new XElement("script", new XAttribute("src", "names.js"), ""),
            new XElement("script", new XAttribute("src", "search.js"), "")))
        .ToString(SaveOptions.DisableFormatting) + "\n";

    [GeneratedRegex(@"[^A-Za-z0-9_.]+")]
    private static partial Regex Unsafe();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();
}
