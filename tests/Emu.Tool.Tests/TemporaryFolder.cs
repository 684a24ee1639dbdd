namespace Emu.Tool.Tests;

/// <summary>A folder that is there for one test.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("emu-tool-tests-");

    /// <summary>The path of a file in it.</summary>
    public string this[string file] => Path.Combine(_folder.FullName, file);

    /// <summary>Writes a file, and its folder.</summary>
    /// <returns>Its path.</returns>
    public string Write(string file, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(this[file])!);
        File.WriteAllText(this[file], text);
        return this[file];
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
