namespace Emu.Tool.Tests;

/// <summary>A repository with the script and next to no sources, and a compiler that makes folders only.</summary>
internal sealed class ScriptTree : IDisposable
{
    /// <summary>The program that the script builds and runs.</summary>
    public const string Program = "tools/Emu.Tool/bin/Release/net10.0/emu.dll";

    private readonly TemporaryFolder _folder = new();

    public ScriptTree()
    {
        foreach (var folder in (string[])["src/Emu.Core", "services/Filter", "samples", "tools/Emu.Tool", "path"])
            Directory.CreateDirectory(this[folder]);
        foreach (var file in (string[])["global.json", "Directory.Build.props", "src/Emu.Core/Emu.Core.csproj"])
            File.WriteAllText(this[file], "");
        File.Copy(Path.Combine(Commands.Root, "emu"), this["emu"]);
        // Makes what a build makes, behind what it is made of.
        File.WriteAllText(this["path/dotnet"], $"""
            #!/bin/sh
            cd {this["."]}
            [ "$1" = build ] || exit 0
            sleep 0.1
            mkdir -p src/Emu.Core/bin src/Emu.Core/obj services/Filter/obj "$(dirname {Program})"
            [ -e fails ] && echo broken source && exit 1
            echo "  Emu.Core -> src/Emu.Core/bin/Emu.Core.dll"
            touch {Program} services/Filter/obj/made
            """);
        const UnixFileMode Executable = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;
        if (!OperatingSystem.IsWindows()) File.SetUnixFileMode(this["path/dotnet"], Executable);
    }

    /// <summary>A path in the tree.</summary>
    public string this[string path] => _folder[path];

    /// <summary>Runs the script.</summary>
    public Outcome Run() => Commands.Run("/bin/sh", "-c", $"PATH={this["path"]}:$PATH exec {this["emu"]} list");

    /// <summary>Runs the script, which succeeds.</summary>
    /// <returns>True if it has built.</returns>
    public bool RunBuilds() => Run().Succeeded().Error.Contains("emu: building", StringComparison.Ordinal);

    public void Dispose() => _folder.Dispose();
}
