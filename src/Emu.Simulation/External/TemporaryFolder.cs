namespace Emu.Simulation;

/// <summary>A folder that is deleted with all in it.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("emu-simulation-");

    public string FullName => _folder.FullName;

    public string this[string name] => Path.Combine(FullName, name);

    public void Dispose()
    {
        if (Directory.Exists(FullName)) _folder.Delete(recursive: true);
    }
}
