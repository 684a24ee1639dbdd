namespace Emu.Compiler.Reports.Page;

/// <summary>The style of a page on a bright or a dark screen and on paper: report.css beside this file.</summary>
internal static class PageStyle
{
    private static readonly Lazy<string> s_text = new(Read);

    public static string Text => s_text.Value;

    private static string Read()
    {
        using var reader = new StreamReader(typeof(PageStyle).Assembly.GetManifestResourceStream("report.css")!);
        return "\n" + reader.ReadToEnd();
    }
}
