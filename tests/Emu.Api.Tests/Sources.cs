using System.Runtime.CompilerServices;

namespace Emu.Api.Tests;

/// <summary>The C# and the pages of the repository.</summary>
internal static class Sources
{
    /// <summary>The folder that holds Emu.sln.</summary>
    public static string Root { get; } = RootAbove(ThisFile());

    /// <summary>All files but those that are built and those of hidden folders.</summary>
    public static IEnumerable<string> All(string pattern = "*.cs") => In(Root, pattern);

    private static IEnumerable<string> In(string folder, string pattern) =>
        Directory.EnumerateFiles(folder, pattern).Concat(Directory.EnumerateDirectories(folder)
            .Where(inner => Path.GetFileName(inner) is not ("bin" or "obj" or "build") and not ['.', ..])
            .SelectMany(inner => In(inner, pattern)));

    private static string RootAbove(string file)
    {
        for (var folder = Path.GetDirectoryName(file); folder is not null; folder = Path.GetDirectoryName(folder))
        {
            if (File.Exists(Path.Combine(folder, "Emu.sln"))) return folder;
        }
        throw new DirectoryNotFoundException("no folder above this file has Emu.sln");
    }

    private static string ThisFile([CallerFilePath] string thisFile = "") => thisFile;
}
