using Emu.Hosting;

namespace Emu.Tool;

/// <summary>A folder that is there with all its files or not at all: it is filled beside its place and moved.</summary>
internal sealed class NewFolder : IDisposable
{
    private readonly string _place;

    /// <summary>Makes a folder to fill.</summary>
    /// <param name="place">The folder that is wanted, checked.</param>
    public NewFolder(string place)
    {
        _place = System.IO.Path.GetFullPath(place).TrimEnd('/');
        var parent = System.IO.Path.GetDirectoryName(_place)!;
        Directory.CreateDirectory(parent);
        Path = System.IO.Path.Combine(parent, $".{System.IO.Path.GetFileName(_place)}.{Environment.ProcessId}");
        Directory.CreateDirectory(Path);
    }

    /// <summary>The folder to fill.</summary>
    public string Path { get; }

    /// <summary>Checks that a folder can be made.</summary>
    /// <param name="place">Its path.</param>
    /// <exception cref="CommandException">Something is there.</exception>
    public static void Check(string place)
    {
        if (File.Exists(place)) throw CommandException.Failure($"{place} is a file; name another folder with --out");
        if (Directory.Exists(place) && Directory.EnumerateFileSystemEntries(place).Any())
            throw CommandException.Failure($"{place} is there and not empty; name another folder with --out");
    }

    /// <summary>Moves it to its place.</summary>
    public void Keep()
    {
        // An empty one may be somebody's working directory: it stays, and is filled.
        if (!Directory.Exists(_place))
        {
            Directory.Move(Path, _place);
            return;
        }
        foreach (var entry in new DirectoryInfo(Path).EnumerateFileSystemInfos())
        {
            var target = System.IO.Path.Combine(_place, entry.Name);
            if (entry is DirectoryInfo inner) inner.MoveTo(target);
            else ((FileInfo)entry).MoveTo(target);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (Directory.Exists(Path)) Directory.Delete(Path, recursive: true);
    }
}
