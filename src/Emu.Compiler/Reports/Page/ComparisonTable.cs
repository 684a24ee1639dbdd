using System.Xml.Linq;

namespace Emu.Compiler.Reports.Page;

/// <summary>The differences from another report.</summary>
internal static class ComparisonTable
{
    /// <summary>The figures of both side by side, and the reasons that only one has.</summary>
    public static IEnumerable<XElement> Of(ReportComparison comparison)
    {
        yield return Html.Table(
            ["", "before#", "now#"],
            comparison.Figures.Select(pair => (IReadOnlyList<object?>)
            [
                pair.Name,
                pair.Before,
                pair.IsChanged ? Html.Element("b", pair.After) : pair.After,
            ]));
        if (comparison.Gone.Count > 0) yield return Reasons("No longer there", comparison.Gone);
        if (comparison.Added.Count > 0) yield return Reasons("New", comparison.Added);
    }

    private static XElement Reasons(string title, IReadOnlyList<string> reasons) => Html.Element(
        "div",
        Html.Element("p", $"{title}:"),
        Html.Element("ul.bounds", reasons.Select(reason => Html.Element("li", reason))));
}
