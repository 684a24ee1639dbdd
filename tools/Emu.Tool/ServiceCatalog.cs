using System.Diagnostics;
using System.Reflection;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>
/// Finds services: those of the repository by name, a user's own by the path of the project or the assembly.
/// </summary>
internal static class ServiceCatalog
{
    /// <summary>The services of the repository, by name.</summary>
    public static IEnumerable<Type> All() => InOrder(
        typeof(ServiceCatalog).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
            .Where(metadata => metadata.Value == "Service").Select(metadata => Beside(metadata.Key)));

    /// <summary>The services of a page each that show how one is written, by name.</summary>
    public static IEnumerable<Type> Samples() => InOrder([Beside("Samples")]);

    /// <summary>The service that a user named.</summary>
    /// <param name="name">
    /// A class or project of the repository; or the path of a .csproj, of a folder with one, or of a .dll;
    /// <c>:Class</c> behind a path chooses one of several.
    /// </param>
    /// <exception cref="CommandException">There is none, or there are several.</exception>
    public static Type Find(string name)
    {
        var known = All().Concat(Samples())
            .FirstOrDefault(type => type.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
        if (known is not null) return known;

        var (path, className) = name.Split(':') is [var before, var behind] && !File.Exists(name)
            ? (before, behind)
            : (name, null);
        var found = ServicesIn(AssemblyOf(path, name))
            .Where(type => className is null || type.Name == className)
            .OrderBy(type => type.Name, StringComparer.Ordinal)
            .ToList();
        return found.Count switch
        {
            1 => found[0],
            0 => throw CommandException.Usage(
                $"{name}: no "
                + $"{(className is null ? "public class derived from Emu.Service" : $"service named {className}")} "
                + "there"),
            _ => throw CommandException.Usage(
                $"{name} has several services: name one, "
                + $"{string.Join(" or ", found.Select(type => $"{path}:{type.Name}"))}"),
        };
    }

    private static string Beside(string assembly) => Path.Combine(AppContext.BaseDirectory, assembly + ".dll");

    private static IEnumerable<Type> InOrder(IEnumerable<string> assemblies) =>
        assemblies.Where(File.Exists).SelectMany(ServicesIn).OrderBy(type => type.Name, StringComparer.Ordinal);

    private static string AssemblyOf(string path, string name)
    {
        if (File.Exists(path) && path.EndsWith(".dll", StringComparison.Ordinal)) return Path.GetFullPath(path);
        if (File.Exists(path) && path.EndsWith(".csproj", StringComparison.Ordinal)) return Build(path);
        if (Directory.Exists(path))
        {
            return Directory.GetFiles(path, "*.csproj") is [var project]
                ? Build(project)
                : throw CommandException.Usage($"{path}: a folder with one .csproj is needed; name the project");
        }
        throw CommandException.Usage(
            $"unknown service '{name}': there are {string.Join(", ", All().Concat(Samples()).Select(t => t.Name))}; "
            + "your own is named by the path of its .csproj");
    }

    /// <summary>Builds a project.</summary>
    /// <param name="project">The project.</param>
    /// <param name="known">Where its assembly will be; null to ask for that, which takes a second.</param>
    /// <returns>Its assembly.</returns>
    /// <exception cref="CommandException">It does not build.</exception>
    internal static string Build(string project, string? known = null)
    {
        Console.Error.WriteLine($"building {project}");
        using var progress = Progress.Of($"building {project}");
        var (code, output) = DotNet("build", project, "-c", "Release", "-v", "q", "--nologo", "-clp:NoSummary");
        if (code != 0) throw CommandException.Failure($"{project} does not build: {Errors(output)}");
        if (known is not null && File.Exists(known)) return known;
        // A call of its own: with -getProperty nothing is built.
        (code, output) = DotNet("msbuild", project, "-p:Configuration=Release", "-getProperty:TargetPath");
        var assembly = output.Trim();
        if (code != 0 || !File.Exists(assembly))
            throw CommandException.Failure($"{project} builds no single assembly: it must have one TargetFramework");
        return assembly;
    }

    private static string Errors(string output) =>
        string.Join(
            "; ",
            output.Split('\n').Where(line => line.Contains("error", StringComparison.Ordinal))
                .Select(line => line.Trim()).Distinct().Take(3));

    private static (int Code, string Output) DotNet(params string[] arguments)
    {
        using var process = Process.Start(new ProcessStartInfo("dotnet", arguments) { RedirectStandardOutput = true })!;
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, output);
    }

    /// <summary>True if an assembly has services, which may have components of the clock level beside them.</summary>
    internal static bool HasServices(string assembly) => ServicesIn(assembly).Any();

    private static IEnumerable<Type> ServicesIn(string assembly)
    {
        try
        {
            return new ServiceLoadContext(assembly).LoadFromAssemblyPath(assembly).GetExportedTypes()
                .Where(type => type.IsSubclassOf(typeof(Service)) && !type.IsAbstract);
        }
        catch (Exception exception)
            when (exception is BadImageFormatException or FileLoadException
                or TypeLoadException or ReflectionTypeLoadException or FileNotFoundException)
        {
            throw CommandException.Failure($"{assembly} cannot be loaded: {exception.Message.ReplaceLineEndings(" ")}");
        }
    }
}
