using System.Globalization;
using System.Text;
using System.Xml;
using System.Xml.Linq;

namespace Emu.Compiler.Reports.Page;

/// <summary>
/// Elements of HTML and SVG that are XML as well: what is not markup is escaped, and what could deceive a reader or
/// break the page is replaced.
/// </summary>
internal static class Html
{
    private const char Replacement = '\uFFFD';

    /// <summary>The least that a drawing shrinks to on a narrow page; below, it is scrolled.</summary>
    private const double LeastScale = 0.8;

    /// <summary>An element; never one without an end tag, since HTML knows none but its own.</summary>
    /// <param name="name">The element's name; its class follows a dot.</param>
    /// <param name="content">Elements, attributes, numbers and text.</param>
    public static XElement Element(string name, params IEnumerable<object?> content)
    {
        var parts = name.Split('.');
        var element = new XElement(parts[0], "");
        if (parts.Length > 1) element.SetAttributeValue("class", parts[1]);
        foreach (var item in content) element.Add(Safe(item));
        return element;
    }

    /// <summary>An element of SVG at numbers.</summary>
    public static XElement Shape(string name, params IEnumerable<(string Name, object Value)> attributes) =>
        Element(name, attributes.Select(a => Attribute(a.Name, a.Value)));

    /// <summary>A line through points.</summary>
    public static XElement Line(string style, IEnumerable<(double X, double Y)> points) =>
        Shape(
            "polyline", ("class", style),
            ("points", string.Join(
                ' ', points.Select(p => string.Create(CultureInfo.InvariantCulture, $"{p.X:0.#},{p.Y:0.#}")))));

    /// <summary>Text in a drawing.</summary>
    public static XElement Label(string style, double x, double y, string text) =>
        Element($"text.{style}", Attribute("x", x), Attribute("y", y), text);

    /// <summary>An attribute.</summary>
    public static XAttribute Attribute(string name, object value) => new(name, Clean(Number(value)));

    /// <summary>A drawing as wide as the page, unless its text were too small to read then.</summary>
    public static XElement Drawing(
        string description, double width, double height, params IEnumerable<XElement> content) =>
        Element(
            "div.wide",
            Element(
                "svg",
                Attribute("viewBox", $"0 0 {Number(width)} {Number(height)}"),
                Attribute("style", $"min-width:{Number(width * LeastScale)}px"),
                Attribute("role", "img"),
                Attribute("aria-label", description),
                content));

    /// <summary>A table.</summary>
    /// <param name="heads">The columns; those that end in <c>#</c> hold numbers.</param>
    /// <param name="rows">Their cells.</param>
    public static XElement Table(IReadOnlyList<string> heads, IEnumerable<IReadOnlyList<object?>> rows)
    {
        XElement Row(string cell, IEnumerable<object?> cells) =>
            Element(
                "tr", cells.Select((content, i) => Element(heads[i].EndsWith('#') ? $"{cell}.number" : cell, content)));
        var head = Element("thead", Row("th", heads.Select(h => h.TrimEnd('#'))));
        return Element("div.wide", Element("table", head, Element("tbody", rows.Select(row => Row("td", row)))));
    }

    /// <summary>Text without what XML forbids and without marks that turn the direction of what follows.</summary>
    public static string Clean(string text)
    {
        var clean = new StringBuilder(text.Length);
        for (var i = 0; i < text.Length; i++)
        {
            if (i + 1 < text.Length && char.IsSurrogatePair(text[i], text[i + 1]))
                clean.Append(text[i]).Append(text[++i]);
            else clean.Append(XmlConvert.IsXmlChar(text[i]) && !TurnsDirection(text[i]) ? text[i] : Replacement);
        }
        return clean.ToString();
    }

    private static bool TurnsDirection(char c) => c is >= '\u202A' and <= '\u202E' or >= '\u2066' and <= '\u2069';

    private static object? Safe(object? item) => item switch
    {
        null or XObject => item,
        string text => Clean(text),
        IEnumerable<object?> items => items.Select(Safe),
        _ => Number(item),
    };

    private static string Number(object value) => value switch
    {
        double number => Math.Round(number, 2).ToString(CultureInfo.InvariantCulture),
        IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
        _ => $"{value}",
    };
}
