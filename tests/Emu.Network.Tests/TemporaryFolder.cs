namespace Emu.Network.Tests;

/// <summary>A folder that is there for one test.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("emu-network-tests-");

    /// <summary>The path of a file in it.</summary>
    public string this[string file] => Path.Combine(_folder.FullName, file);

    public void Dispose() => _folder.Delete(recursive: true);
}
