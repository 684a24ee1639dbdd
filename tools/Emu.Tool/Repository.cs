using Emu.Hosting;

namespace Emu.Tool;

/// <summary>
/// The place of what the command uses besides its code: a clone of the repository, or, of an installed command, its own
/// folder.
/// </summary>
internal static class Repository
{
    private static readonly Lazy<string?> s_clone = new(Find);

    /// <summary>The folder with Emu.sln above the command; null for an installed command.</summary>
    public static string? Clone => s_clone.Value;

    /// <summary><see cref="Clone"/>, for verbs that work on the repository.</summary>
    /// <exception cref="CommandException">The command is installed.</exception>
    public static string Root => Clone ?? throw CommandException.Failure(
        $"no Emu.sln above {AppContext.BaseDirectory}: this verb works on the repository; "
        + "clone it, and start emu by the script at its root");

    /// <summary>A folder that a clone has at its root, and an installed command inside itself.</summary>
    public static string Folder(string name) => Path.Combine(Clone ?? AppContext.BaseDirectory, name);

    /// <summary>
    /// A folder for what is built once and used again: in <c>build</c> of a clone, else in the user's cache.
    /// </summary>
    public static string Cache(string name)
    {
        if (Clone is not null) return Path.Combine(Clone, "build", name);
        var cache = Environment.GetEnvironmentVariable("XDG_CACHE_HOME") is { Length: > 0 } set
            ? set
            : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".cache");
        return Path.Combine(cache, "emu", name);
    }

    private static string? Find()
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Emu.sln"))) return folder.FullName;
        }
        return null;
    }
}
