using System.Text;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>
/// A template of <c>templates/</c>. Its files name the class, the version of Emu's packages and the command by
/// placeholders, as the templates of <c>dotnet new</c> made of them do.
/// </summary>
internal sealed class ProjectTemplate
{
    private const string Configuration = ".template.config";
    private const string VersionPlaceholder = "EMU_VERSION", CommandPlaceholder = "EMU_COMMAND";

    private static readonly ProjectTemplate[] s_all =
    [
        new("service", "EmuService1", folder =>
        [
            $"cd {folder}", "dotnet test",
            $"{Command} run . --port pcap:frames.pcap --port pcap:,out.pcap",
            $"{Command} compile . --out build/verilog",
        ]),
        new("block", "EmuBlock1", folder => [$"cd {folder}", "dotnet test"]),
        new("mininet", "EmuMininet1", folder => [$"cd {folder}", "sudo python3 experiment.py"])
        {
            NeedsPackages = false,
        },
    ];

    private readonly string _placeholder;

    private ProjectTemplate(string name, string placeholder, Func<string, IReadOnlyList<string>> nextSteps) =>
        (Name, _placeholder, NextSteps) = (name, placeholder, nextSteps);

    /// <summary>The names of all.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. s_all.Select(template => template.Name)];

    /// <summary>The name of the template.</summary>
    public string Name { get; }

    /// <summary>True if its projects refer to packages of Emu.</summary>
    public bool NeedsPackages { get; private init; } = true;

    /// <summary>Lines to type next, by the folder of the project.</summary>
    public Func<string, IReadOnlyList<string>> NextSteps { get; }

    /// <summary>The command, as the user starts it from anywhere.</summary>
    private static string Command => Repository.Clone is { } clone ? Path.Combine(clone, "emu") : "emu";

    /// <summary>The template of a name.</summary>
    /// <exception cref="CommandException">There is none.</exception>
    public static ProjectTemplate Find(string name) =>
        s_all.FirstOrDefault(template => template.Name == name)
        ?? throw CommandException.Usage($"--template: '{name}' is none of {string.Join(", ", Names)}");

    /// <summary>Writes the files of a project.</summary>
    /// <param name="folder">An empty folder.</param>
    /// <param name="name">The class, checked.</param>
    /// <param name="version">The version of the packages.</param>
    public void Write(string folder, string name, string version)
    {
        string Filled(string text) => text.Replace(_placeholder, name)
            .Replace(VersionPlaceholder, version).Replace(CommandPlaceholder, Command);

        var template = Path.Combine(Repository.Folder("templates"), Name);
        foreach (var file in Directory.EnumerateFiles(template, "*", SearchOption.AllDirectories))
        {
            var path = Path.GetRelativePath(template, file);
            if (path.Split('/').Intersect([Configuration, "bin", "obj"]).Any()) continue;
            var target = Path.Combine(folder, path.Replace(_placeholder, name));
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            var bytes = File.ReadAllBytes(file);
            // A capture has bytes that no text has.
            var isText = !bytes.Contains((byte)0);
            File.WriteAllBytes(target, isText ? Encoding.UTF8.GetBytes(Filled(Encoding.UTF8.GetString(bytes))) : bytes);
        }
        if (Name == "mininet")
            File.Copy(Path.Combine(Repository.Folder("tools/mininet"), "emu.py"), Path.Combine(folder, "emu.py"));
    }
}
