namespace Emu.Hosting.Tests;

/// <summary>A folder for one test's files.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("emu-test-");

    public string this[string name] => Path.Combine(_folder.FullName, name);

    public string Write(string name, byte[] content)
    {
        File.WriteAllBytes(this[name], content);
        return this[name];
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
