using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Emu.Direction.Tests.Editing;

/// <summary>
/// The packages of Node.js that stand for an editor, of the versions in <c>package-lock.json</c> beside this file.
/// Tests install them once, or are skipped with the reason.
/// </summary>
internal static class EditorPackages
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(10);

    /// <summary>The folder of this file, with the session of an editor.</summary>
    public static string Source { get; } = SourceFolder();

    /// <summary>Installs the packages if they are not there.</summary>
    /// <returns>The folder that has them.</returns>
    public static string Require()
    {
        var folder = Path.Combine(Path.GetFullPath(Path.Combine(Source, "../../..")), "build", "editor");
        Directory.CreateDirectory(folder);
        using var other = Alone(Path.Combine(folder, "lock"));
        var (wanted, done) = (Path.Combine(Source, "package-lock.json"), Path.Combine(folder, "done.json"));
        if (File.Exists(done) && File.ReadAllText(done) == File.ReadAllText(wanted)) return folder;
        foreach (var file in new[] { "package.json", "package-lock.json" })
            File.Copy(Path.Combine(Source, file), Path.Combine(folder, file), overwrite: true);
        Require(folder, "node is not installed: apt-get install nodejs", "node", "--version");
        Require(
            folder, "npm could not install the packages of an editor (apt-get install npm)",
            "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts");
        File.Copy(wanted, done, overwrite: true);
        return folder;
    }

    /// <summary>Checks by the TypeScript compiler that messages are those of the protocol.</summary>
    /// <param name="folder">The folder of the packages.</param>
    /// <param name="messages">The messages, one JSON each.</param>
    /// <returns>The errors; empty if there are none.</returns>
    public static string Check(string folder, IEnumerable<string> messages)
    {
        var work = Directory.CreateTempSubdirectory("emu-messages-");
        try
        {
            const string Packages = "node_modules";
            Directory.CreateSymbolicLink(Path.Combine(work.FullName, Packages), Path.Combine(folder, Packages));
            var file = Path.Combine(work.FullName, "messages.ts");
            File.WriteAllText(file, ProtocolTypes.SourceOf(messages));
            return RunIn(
                work.FullName, "node",
                [
                    Path.Combine(folder, Packages, "typescript/bin/tsc"), "--noEmit", "--strict", "--skipLibCheck",
                    "--module", "commonjs", "--target", "es2020", file,
                ]).Output;
        }
        finally
        {
            work.Delete(recursive: true);
        }
    }

    private static string SourceFolder([CallerFilePath] string file = "") => Path.GetDirectoryName(file)!;

    /// <summary>Waits until no other test installs.</summary>
    private static FileStream Alone(string file)
    {
        var watch = Stopwatch.StartNew();
        while (true)
        {
            try
            {
                return new FileStream(file, FileMode.OpenOrCreate, FileAccess.Write, FileShare.None);
            }
            catch (IOException) when (watch.Elapsed < s_limit)
            {
                Thread.Sleep(100);
            }
        }
    }

    private static void Require(string folder, string why, string program, params string[] arguments)
    {
        try
        {
            var (code, output) = RunIn(folder, program, arguments);
            Assert.SkipUnless(code == 0, $"{why}: {output.Trim().ReplaceLineEndings(" ")}");
        }
        catch (Win32Exception)
        {
            Assert.Skip(why);
        }
    }

    private static (int Code, string Output) RunIn(string folder, string program, string[] arguments)
    {
        using var process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        var errors = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEndAsync();
        if (!process.WaitForExit(s_limit))
        {
            process.Kill(entireProcessTree: true);
            process.WaitForExit();
        }
        return (process.ExitCode, output.Result + errors.Result);
    }
}
