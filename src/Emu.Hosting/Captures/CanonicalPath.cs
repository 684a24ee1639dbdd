namespace Emu.Hosting;

/// <summary>
/// The one path of a file that has several: absolute, without <c>.</c> and <c>..</c>, and without symbolic links
/// (realpath(3)).
/// </summary>
internal static class CanonicalPath
{
    /// <summary>The number of links that the kernel follows in one path (path_resolution(7)).</summary>
    private const int MaxLinks = 40;

    /// <summary>The canonical path; the file, and folders before it, need not exist.</summary>
    /// <param name="path">Any path. One that can be no file's comes back as it is: opening it says why.</param>
    public static string Of(string path)
    {
        try
        {
            var links = 0;
            return Resolve(Directory.GetCurrentDirectory(), path, ref links);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return path;
        }
    }

    /// <param name="folder">A canonical path.</param>
    /// <param name="path">The path that is appended to it, unless it is absolute.</param>
    /// <param name="links">The links followed so far.</param>
    private static string Resolve(string folder, string path, ref int links)
    {
        var at = Path.GetPathRoot(path) is { Length: > 0 } root ? root : folder;
        foreach (var name in path.Split(Path.DirectorySeparatorChar, StringSplitOptions.RemoveEmptyEntries))
        {
            if (name == ".") continue;
            var next = name == ".." ? Path.GetDirectoryName(at) ?? at : Path.Combine(at, name);
            if (name != ".." && new FileInfo(next).LinkTarget is { } target)
            {
                if (++links > MaxLinks) throw new IOException($"{path}: too many symbolic links");
                next = Resolve(at, target, ref links);
            }
            at = next;
        }
        return at;
    }
}
