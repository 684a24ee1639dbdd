using System.Diagnostics;
using System.Security;
using System.Security.Cryptography;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>
/// The packages of a clone, in its <c>build/packages</c>. Their version ends in a hash of what they are made of:
/// another build has another version, so that no project finds an old one in the user's cache of packages.
/// </summary>
internal static class ClonePackages
{
    private static readonly string[] s_libraries =
    [
        "Emu.Core", "Emu.Protocols", "Emu.Hosting", "Emu.Clocked", "Emu.Compiler", "Emu.Simulation", "Emu.Testing",
        "Emu.Direction",
    ];

    /// <summary>Packs what is built, unless it is there.</summary>
    /// <param name="clone">The root of the clone.</param>
    /// <returns>The version and the folder.</returns>
    /// <exception cref="CommandException">It cannot be packed.</exception>
    public static (string Version, string Feed) Pack(string clone)
    {
        var version = $"{PackageVersion.Own}-local-{Hash()}";
        var feed = Path.Combine(clone, "build", "packages");
        Directory.CreateDirectory(feed);
        using (Lock(feed))
        {
            if (s_libraries.All(library => File.Exists(Package(feed, library, version)))) return (version, feed);
            Console.Error.WriteLine($"emu: packing Emu {version} into {feed}");
            var fresh = Path.Combine(feed, "new");
            using (Progress.Of("packing")) Pack(clone, fresh, version);
            foreach (var library in s_libraries)
                File.Move(Package(fresh, library, version), Package(feed, library, version), overwrite: true);
            Directory.Delete(fresh, recursive: true);
        }
        return (version, feed);
    }

    /// <summary>A nuget.config with the feed besides the user's own sources.</summary>
    public static string Config(string feed) =>
        $"""
        <?xml version="1.0" encoding="utf-8"?>
        <!-- The packages of Emu come from a clone on this machine. -->
        <configuration>
          <packageSources>
            <add key="emu-clone" value="{SecurityElement.Escape(feed)}" />
          </packageSources>
        </configuration>

        """;

    private static string Package(string folder, string library, string version) =>
        Path.Combine(folder, $"{library}.{version}.nupkg");

    private static string Hash()
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (var library in s_libraries)
            hash.AppendData(File.ReadAllBytes(Path.Combine(AppContext.BaseDirectory, library + ".dll")));
        return Convert.ToHexStringLower(hash.GetHashAndReset()[..5]);
    }

    private static void Pack(string clone, string folder, string version)
    {
        // The command lies in bin/CONFIGURATION/net10.0.
        var configuration = new DirectoryInfo(AppContext.BaseDirectory).Parent!.Name;
        using var pack = Process.Start(new ProcessStartInfo(
            "dotnet",
            [
                "msbuild", Path.Combine(clone, "src", "Packages.proj"), "-t:PackLibraries", "-nologo", "-v:q", "-m",
                "-nr:false", $"-p:Configuration={configuration}", $"-p:PackageVersion={version}",
                $"-p:PackageOutputPath={folder}/",
            ])
        { RedirectStandardOutput = true })!;
        var output = pack.StandardOutput.ReadToEnd();
        pack.WaitForExit();
        if (pack.ExitCode != 0)
            throw CommandException.Failure($"the packages of {clone} cannot be made: {output.ReplaceLineEndings(" ")}");
    }

    /// <summary>Waits until nobody else packs.</summary>
    private static FileStream Lock(string feed)
    {
        var file = Path.Combine(feed, "lock");
        while (true)
        {
            try
            {
                return new FileStream(file, FileMode.OpenOrCreate, FileAccess.Write, FileShare.None);
            }
            catch (IOException exception) when (exception is not (DirectoryNotFoundException or FileNotFoundException))
            {
                Thread.Sleep(100);
            }
        }
    }
}
