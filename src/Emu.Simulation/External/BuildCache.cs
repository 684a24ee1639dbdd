using System.Security.Cryptography;
using System.Text;

namespace Emu.Simulation;

/// <summary>
/// Keeps what Verilator built: programs, and the objects of its runtime, which are the greater part of a small build.
/// </summary>
/// <param name="folder">The folder; made when needed.</param>
/// <param name="tool">The text that has to be the same for anything to be reused.</param>
internal sealed class BuildCache(string folder, string tool)
{
    private readonly string _folder = Path.Combine(
        folder, Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(tool)))[..16]);

    /// <summary>The program of a key; null when it was not built yet.</summary>
    public string? Find(string key) =>
        File.Exists(Path.Combine(_folder, key)) ? Path.GetFullPath(Path.Combine(_folder, key)) : null;

    /// <summary>
    /// Puts the runtime's objects, if they are there, into a folder in which a program is to be built.
    /// </summary>
    public void CopyRuntime(string build)
    {
        if (!Directory.Exists(_folder)) return;
        foreach (var file in Directory.GetFiles(_folder, "verilated*.o"))
            File.Copy(file, Path.Combine(build, Path.GetFileName(file)));
    }

    /// <summary>Keeps a program and the runtime's objects.</summary>
    public void Keep(string key, string build, string program)
    {
        Directory.CreateDirectory(_folder);
        Put(Path.Combine(build, program), key);
        foreach (var file in Directory.GetFiles(build, "verilated*.o"))
            if (!File.Exists(Path.Combine(_folder, Path.GetFileName(file)))) Put(file, Path.GetFileName(file));
    }

    // Others may look for it at the same time: it appears whole or not at all.
    private void Put(string file, string name)
    {
        var unfinished = Path.Combine(_folder, $"{Guid.NewGuid():N}.part");
        File.Copy(file, unfinished);
        File.Move(unfinished, Path.Combine(_folder, name), overwrite: true);
    }
}
