using Emu.Direction.Weaving;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>Weaves services, and makes of a woven assembly one that can be loaded: with what is beside it.</summary>
internal static class WovenService
{
    /// <summary>Weaves a service into a folder of its own for as long as the command runs, and loads it.</summary>
    /// <exception cref="CommandException">The features are wrong, or the service cannot be woven.</exception>
    public static Type Load(Type type, WeaveOptions options)
    {
        var folder = Directory.CreateTempSubdirectory("emu-direct-").FullName;
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(folder, recursive: true);
        var woven = Write(type, options, folder);
        return new ServiceLoadContext(woven).LoadFromAssemblyPath(woven).GetType(type.FullName!, throwOnError: true)!;
    }

    /// <summary>Weaves a service into a folder, with what its assembly needs.</summary>
    /// <returns>The path of the woven assembly.</returns>
    /// <exception cref="CommandException">The features are wrong, or the service cannot be woven.</exception>
    public static string Write(Type type, WeaveOptions options, string folder)
    {
        var assembly = type.Assembly.Location;
        var source = Path.GetDirectoryName(assembly)!;
        if (Path.GetFullPath(folder) == source)
            throw CommandException.Usage($"--out: {folder} holds the assembly itself; name another folder");
        try
        {
            Directory.CreateDirectory(folder);
            var beside = Directory.EnumerateFiles(source).Where(IsNeeded);
            foreach (var file in beside.Append(typeof(ServiceWeaver).Assembly.Location))
                File.Copy(file, Path.Combine(folder, Path.GetFileName(file)), overwrite: true);
            return ServiceWeaver.Weave(assembly, type.FullName!, folder, options);
        }
        catch (WeaveException exception)
        {
            throw CommandException.Usage(exception.Message);
        }
    }

    /// <summary>
    /// True for assemblies, and for files that a service may read, such as a zone. Not for symbols and hosts of
    /// programs, nor for deps.json, which does not know Emu.Direction: without it all beside a program is there.
    /// </summary>
    private static bool IsNeeded(string file) =>
        Path.GetExtension(file) is not ".pdb" && !file.EndsWith(".deps.json", StringComparison.Ordinal)
        && !File.Exists(file + ".dll");
}
