using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Emu.Direction.Weaving;

namespace Emu.Direction.Tests;

/// <summary>Services woven for a test, in a folder that goes with it.</summary>
internal sealed class Woven : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("emu-woven-");

    /// <summary>The folder.</summary>
    public string Folder => _folder.FullName;

    /// <summary>Weaves a service and loads it.</summary>
    public Type Load(Type service, string features)
    {
        var options = new WeaveOptions(
            DirectionFeatures.Parse(features), DirectedCounter.Key, DirectedCounter.Address, DirectedCounter.BootCount);
        var assembly = ServiceWeaver.Weave(service.Assembly.Location, service.FullName!, Folder, options);
        // What is beside the tests is shared, so that a service is one to them.
        return new AssemblyLoadContext(service.Name).LoadFromAssemblyPath(assembly)
            .GetType(service.FullName!, throwOnError: true)!;
    }

    /// <summary>Has the runtime compile every method of a class and those in it.</summary>
    public static void CompileAll(Type type)
    {
        const BindingFlags All = BindingFlags.DeclaredOnly | BindingFlags.Instance | BindingFlags.Static
            | BindingFlags.Public | BindingFlags.NonPublic;
        foreach (var method in type.GetMethods(All).Concat<MethodBase>(type.GetConstructors(All)))
        {
            if (!method.IsAbstract && !method.ContainsGenericParameters)
                RuntimeHelpers.PrepareMethod(method.MethodHandle);
        }
        foreach (var inner in type.GetNestedTypes(All)) CompileAll(inner);
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
