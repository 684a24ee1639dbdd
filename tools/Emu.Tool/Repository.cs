using Emu.Hosting;

namespace Emu.Tool;

/// <summary>The place of this repository: the services, the tests and the benchmarks are found from its root.</summary>
internal static class Repository
{
    /// <summary>The folder with Emu.sln.</summary>
    public static string Root { get; } = Find();

    private static string Find()
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Emu.sln"))) return folder.FullName;
        }
        throw CommandException.Failure(
            $"no Emu.sln above {AppContext.BaseDirectory}: start emu by the script at the root of its repository");
    }
}
