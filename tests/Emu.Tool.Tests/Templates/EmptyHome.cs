namespace Emu.Tool.Tests;

/// <summary>
/// The home of somebody who has just installed the SDK, with a folder of Emu's packages: what others make comes from
/// the folder where this machine keeps the packages that it has used, and from no network.
/// </summary>
internal sealed class EmptyHome : IDisposable
{
    private static readonly string s_used = Environment.GetEnvironmentVariable("NUGET_PACKAGES")
        ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");

    private readonly TemporaryFolder _folder = new();

    /// <summary>Packs all that is built.</summary>
    public EmptyHome()
    {
        Commands.Run(
            "dotnet", "msbuild", Path.Combine(Commands.Root, "src", "Packages.proj"), "-t:Pack", "-nologo", "-v:q",
            "-m", "-nr:false", $"-p:Configuration={Configuration}", $"-p:PackageOutputPath={Feed}/").Succeeded();
        _folder.Write(".nuget/NuGet/NuGet.Config", $"""
            <configuration>
              <packageSources>
                <clear />
                <add key="feed" value="{Feed}" />
                <add key="used" value="{s_used}" />
              </packageSources>
            </configuration>
            """);
    }

    /// <summary>The folder of Emu's packages.</summary>
    public string Feed => _folder["feed"];

    private static string Configuration { get; } =
        Path.GetFileName(Path.GetDirectoryName(Path.GetDirectoryName(Commands.EmuAssembly)))!;

    /// <summary>A path in the home.</summary>
    public string this[string path] => _folder[path];

    /// <summary>Runs a line of a shell, at home.</summary>
    public Outcome Run(string line) => Commands.Run(
        "env", "-i", $"HOME={_folder["."]}", $"DOTNET_CLI_HOME={_folder["."]}", $"NUGET_PACKAGES={_folder["packages"]}",
        $"PATH={_folder[".dotnet/tools"]}:{Environment.GetEnvironmentVariable("PATH")}", "DOTNET_NOLOGO=1",
        "DOTNET_CLI_TELEMETRY_OPTOUT=1", "MSBUILDDISABLENODEREUSE=1", "sh", "-c", $"cd && {line}");

    public void Dispose() => _folder.Dispose();
}
