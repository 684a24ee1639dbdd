using System.CommandLine;
using System.Text.Json;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary><c>emu docs</c></summary>
internal static class DocsVerb
{
    private static readonly string[] s_beside = ["docs.css", "search.js"];

    /// <summary>Makes the verb.</summary>
    public static Command Create()
    {
        var folder = new Option<string>("--out")
        {
            Description = "The folder for the pages",
            HelpName = "DIR",
            DefaultValueFactory = _ => Path.Combine("build", "docs"),
        };
        var docs = new Command(
            "docs",
            "Write the reference of the API as static pages, which are searched without a server. Example: ./emu docs")
        {
            folder,
        };
        docs.SetAction(parsed => Write(parsed.GetValue(folder)!));
        return docs;
    }

    private static int Write(string folder)
    {
        var reference = new ApiReference();
        var page = new ApiPage(reference);
        try
        {
            Directory.CreateDirectory(folder);
            foreach (var type in reference.Types)
                File.WriteAllText(Path.Combine(folder, ApiPage.FileOf(type)), page.Of(type));
            File.WriteAllText(
                Path.Combine(folder, "names.js"), $"const names = {JsonSerializer.Serialize(page.Names())};\n");
            foreach (var file in s_beside) Copy(file, Path.Combine(folder, file));
            File.WriteAllText(Path.Combine(folder, "index.html"), page.Index());
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw CommandException.Failure($"docs: {exception.Message}");
        }
        Console.Out.WriteLine($"{reference.Types.Count} types: {Path.Combine(folder, "index.html")}");
        return 0;
    }

    private static void Copy(string resource, string file)
    {
        using var from = typeof(DocsVerb).Assembly.GetManifestResourceStream(resource)!;
        using var to = File.Create(file);
        from.CopyTo(to);
    }
}
