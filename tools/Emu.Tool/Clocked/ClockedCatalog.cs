using Emu.Clocked;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>
/// Finds programs of the clock level: the samples by the name of their class, a user's own by the path of a file, a
/// project or an assembly; <c>:Class</c> behind a path chooses one of several.
/// </summary>
internal static class ClockedCatalog
{
    private static readonly string s_samples = Path.Combine(AppContext.BaseDirectory, "ClockedSamples.dll");

    /// <summary>The program that a user named; null where it is none.</summary>
    /// <exception cref="CommandException">It is one that cannot be built or loaded.</exception>
    public static ClockedProgram? Find(string name)
    {
        var (path, className) = name.Split(':') is [var before, var behind] && !File.Exists(name)
            ? (before, behind)
            : (name, null);
        try
        {
            if (Sample(name) is { } sample) return ClockedProgram.Load(s_samples, sample);
            return AssemblyOf(path) is { } assembly && IsMeant(assembly, className)
                ? ClockedProgram.Load(assembly, className)
                : null;
        }
        catch (ClockedException exception)
        {
            throw CommandException.Failure(exception.Message);
        }
    }

    /// <summary>True if a program is meant: where there are services too, these are, unless a class is named.</summary>
    private static bool IsMeant(string assembly, string? className)
    {
        var programs = ClockedProgram.ClassesOf(assembly);
        return programs.Count > 0
            && (className is null ? !ServiceCatalog.HasServices(assembly) : programs.Contains(className));
    }

    private static string? Sample(string name) => File.Exists(s_samples)
        ? ClockedProgram.ClassesOf(s_samples).FirstOrDefault(c => c.Equals(name, StringComparison.OrdinalIgnoreCase))
        : null;

    private static string? AssemblyOf(string path) => Path.GetExtension(path) switch
    {
        _ when Directory.Exists(path) => Directory.GetFiles(path, "*.csproj") is [var project] && IsClocked(project)
            ? ServiceCatalog.Build(project)
            : null,
        ".dll" when File.Exists(path) => Path.GetFullPath(path),
        ".csproj" when File.Exists(path) && IsClocked(path) => ServiceCatalog.Build(path),
        ".cs" when File.Exists(path) => Build(ProjectOf(Path.GetFullPath(path))),
        _ => null,
    };

    /// <summary>Builds a project that was written here: the place of its assembly is known.</summary>
    private static string Build(string project) => ServiceCatalog.Build(
        project,
        Path.Combine(
            Path.GetDirectoryName(project)!, "bin", "Release", "net10.0",
            Path.GetFileNameWithoutExtension(project) + ".dll"));

    /// <summary>
    /// True if a project refers to the clock level: others need not be built to know that they are none.
    /// </summary>
    private static bool IsClocked(string project) =>
        File.ReadAllText(project).Contains("Emu.Clocked", StringComparison.Ordinal);

    /// <summary>A project around one file, as programs were written before projects had defaults.</summary>
    private static string ProjectOf(string file)
    {
        var folder = Directory.CreateDirectory(
            Path.Combine(Path.GetTempPath(), "emu-clocked", Path.GetFileNameWithoutExtension(file))).FullName;
        var project = Path.Combine(folder, Path.GetFileNameWithoutExtension(file) + ".csproj");
        var source = Path.Combine(folder, "Source.cs");
        File.WriteAllText(source, ClockedSource.Of(file));
        File.WriteAllText(project, $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <TargetFramework>net10.0</TargetFramework>
                <EnableDefaultCompileItems>false</EnableDefaultCompileItems>
                <DefineConstants>$(DefineConstants);DEBUG</DefineConstants>
                <AllowUnsafeBlocks>true</AllowUnsafeBlocks>
                <RunAnalyzers>false</RunAnalyzers>
                <NoWarn>$(NoWarn);CS0649;CS0169;CS0414</NoWarn>
              </PropertyGroup>
              <ItemGroup>
                <Compile Include="{source}" />
                <Reference Include="{Path.Combine(AppContext.BaseDirectory, "Emu.Clocked.dll")}" />
              </ItemGroup>
            </Project>
            """);
        return project;
    }
}
