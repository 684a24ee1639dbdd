using System.Security.Cryptography;
using System.Text;

namespace Emu.Simulation;

/// <summary>
/// Keeps what Verilator built: programs, and the objects and headers of its runtime, which are the greater part of a
/// small build.
/// </summary>
/// <param name="folder">The folder; made when needed.</param>
/// <param name="tool">The text that has to be the same for anything to be reused.</param>
internal sealed class BuildCache(string folder, string tool)
{
    /// <summary>The suffix by which a compiled header is named after its header.</summary>
    public const string Compiled = ".gch";

    private const string RuntimeObject = "verilated.o";
    private const int PollMilliseconds = 50;

    private readonly string _folder = Path.Combine(
        folder, Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(tool)))[..16]);

    /// <summary>
    /// Until the result is disposed of, others wait here who want to build what is not there yet: the runtime is built
    /// once.
    /// </summary>
    /// <returns>Null when the runtime is there and nobody has to wait.</returns>
    public FileStream? WhileRuntimeIsBuilt()
    {
        Directory.CreateDirectory(_folder);
        while (!IsRuntimeThere)
        {
            try
            {
                var held = new FileStream(
                    Path.Combine(_folder, "lock"), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
                if (!IsRuntimeThere) return held;
                held.Dispose();
            }
            catch (IOException)
            {
                Thread.Sleep(PollMilliseconds);
            }
        }
        return null;
    }

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
        {
            var copy = Path.Combine(build, Path.GetFileName(file));
            File.Copy(file, copy);
            // A copy is as old as the file, and make would build again what is older than its makefile.
            File.SetLastWriteTimeUtc(copy, DateTime.UtcNow);
        }
    }

    private bool IsRuntimeThere => File.Exists(Path.Combine(_folder, RuntimeObject));

    /// <summary>A header that is there compiled; null when it was not compiled yet.</summary>
    public string? Header(string name) =>
        File.Exists(Path.Combine(_folder, name + Compiled)) ? Path.GetFullPath(Path.Combine(_folder, name)) : null;

    /// <summary>Keeps a header and what was compiled of it.</summary>
    /// <returns>Its place.</returns>
    public string KeepHeader(string build, string name)
    {
        Directory.CreateDirectory(_folder);
        // What is compiled shows that both are there, and so comes last.
        Put(Path.Combine(build, name), name);
        Put(Path.Combine(build, name + Compiled), name + Compiled);
        return Path.GetFullPath(Path.Combine(_folder, name));
    }

    /// <summary>Keeps a program and the runtime's objects.</summary>
    public void Keep(string key, string build, string program)
    {
        Directory.CreateDirectory(_folder);
        Put(Path.Combine(build, program), key);
        if (IsRuntimeThere) return;
        // The one that shows that all are there comes last.
        var objects = Directory.GetFiles(build, "verilated*.o");
        foreach (var file in objects.OrderBy(file => Path.GetFileName(file) == RuntimeObject))
            Put(file, Path.GetFileName(file));
    }

    // Others may look for it at the same time: it appears whole or not at all.
    private void Put(string file, string name)
    {
        var unfinished = Path.Combine(_folder, $"{Guid.NewGuid():N}.part");
        File.Copy(file, unfinished);
        File.Move(unfinished, Path.Combine(_folder, name), overwrite: true);
    }
}
