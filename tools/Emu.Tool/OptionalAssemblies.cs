using System.Reflection;
using System.Runtime.Loader;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>
/// Assemblies of a clone that only some ports need: built when one is asked for, since what they are made of may not
/// be to be had. An installed command has none; there they come with the service.
/// </summary>
internal static class OptionalAssemblies
{
    private static readonly string[] s_names = ["Emu.SharpPcap"];

    /// <summary>From now on they are found.</summary>
    public static void Find() => AssemblyLoadContext.Default.Resolving += (_, name) => Resolve(name.Name!);

    private static Assembly? Resolve(string name)
    {
        if (Repository.Clone is not { } clone || !s_names.Contains(name)) return null;
        var folder = Path.Combine(clone, "src", name);
        var assembly = Path.Combine(folder, "bin", "Release", "net10.0", name + ".dll");
        if (!IsCurrent(assembly, folder))
        {
            ServiceCatalog.Build(Path.Combine(folder, name + ".csproj"));
            File.SetLastWriteTimeUtc(assembly, DateTime.UtcNow);
        }
        return new ServiceLoadContext(assembly).LoadFromAssemblyPath(assembly);
    }

    /// <summary>True if it was built after its sources and after the command that it runs in.</summary>
    private static bool IsCurrent(string assembly, string folder) =>
        File.Exists(assembly)
        && Directory.GetFiles(folder, "*.cs*").Append(typeof(Port).Assembly.Location)
            .All(source => File.GetLastWriteTimeUtc(source) < File.GetLastWriteTimeUtc(assembly));
}
