using System.Reflection;
using System.Runtime.Loader;

namespace Emu.Tool;

/// <summary>
/// Loads a service with its own dependencies, but with the command's Emu assemblies:
/// a Service is then the same type to both.
/// </summary>
/// <param name="assembly">The service's assembly.</param>
internal sealed class ServiceLoadContext(string assembly)
    : AssemblyLoadContext(Path.GetFileNameWithoutExtension(assembly))
{
    private readonly AssemblyDependencyResolver _resolver = new(assembly);

    /// <inheritdoc/>
    protected override Assembly? Load(AssemblyName assemblyName)
    {
        // The command's own, not merely of that name: a user's may begin with Emu. as well.
        if (assemblyName.Name!.StartsWith("Emu.", StringComparison.Ordinal)
            && File.Exists(Path.Combine(AppContext.BaseDirectory, assemblyName.Name + ".dll")))
            return null;
        return _resolver.ResolveAssemblyToPath(assemblyName) is { } path ? LoadFromAssemblyPath(path) : null;
    }
}
