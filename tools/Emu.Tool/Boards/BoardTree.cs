using Emu.Hosting;

namespace Emu.Tool;

/// <summary>The way to elaborate a project inside a clone of its shell: of boards.json.</summary>
/// <param name="With">The simulator that elaborates: the clone's files may be too much for the other.</param>
/// <param name="Top">The module of the clone, or of the project, that is elaborated.</param>
/// <param name="Files">Files of the clone.</param>
/// <param name="Folders">Folders of the clone with modules and headers.</param>
/// <param name="ProjectFiles">Files of the project.</param>
/// <param name="ProjectFolders">Folders of the project with modules and headers.</param>
/// <param name="Parameters">Parameters of the top, with @INTERFACES@ for half the ports.</param>
/// <param name="Names">
/// Names of what Vivado makes of cores, and the modules of the clone or the project behind them.
/// </param>
internal sealed record BoardTree(
    string With, string Top, IReadOnlyList<string> Files, IReadOnlyList<string> Folders,
    IReadOnlyList<string> ProjectFiles, IReadOnlyList<string> ProjectFolders, IReadOnlyList<string> Parameters,
    IReadOnlyDictionary<string, string> Names)
{
    /// <summary>Elaborates a project.</summary>
    /// <param name="project">The project's folder.</param>
    /// <param name="manifest">Its facts.</param>
    /// <param name="clone">A clone of the shell.</param>
    /// <exception cref="CommandException">It is no such clone, or the simulator refuses.</exception>
    public void Elaborate(string project, BoardManifest manifest, string clone)
    {
        var work = BoardSimulation.WorkFolder(project, "tree");
        var sources = Sources(project, manifest, clone, work);
        var parameters = Parameters.Select(p => p.Replace("@INTERFACES@", $"{manifest.Ports / 2}"));
        if (With == BoardSimulation.Icarus)
        {
            Prerequisites.Install(Prerequisites.Icarus);
            BoardSimulation.Run(work, "iverilog",
            [
                "-g2012", "-tnull", "-s", Top, .. parameters.Select(p => $"-P{Top}.{p}"),
                .. sources.Select(BoardSimulation.ForIcarus),
            ]);
            return;
        }
        Prerequisites.Install(Prerequisites.Verilator);
        BoardSimulation.Run(work, "verilator",
        [
            "--lint-only", "--no-timing", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--top-module", Top,
            .. parameters.Select(p => $"-G{p}"), .. sources,
        ]);
    }

    /// <summary>The files of the project and the clone, as Icarus and Verilator take them.</summary>
    /// <param name="project">The project's folder.</param>
    /// <param name="manifest">Its facts.</param>
    /// <param name="clone">A clone of the shell.</param>
    /// <param name="work">A folder for files of the project in which names are changed.</param>
    /// <exception cref="CommandException">It is no such clone.</exception>
    public IReadOnlyList<string> Sources(string project, BoardManifest manifest, string clone, string work)
    {
        (project, clone) = (Path.GetFullPath(project), Path.GetFullPath(clone));
        var missing = Files.Concat(Folders).Select(path => Path.Combine(clone, path))
            .FirstOrDefault(path => !Path.Exists(path));
        if (missing is not null)
            throw CommandException.Usage(
                $"--tree: {missing} is not there: a clone of {manifest.Shell} at {manifest.Commit} is needed");
        foreach (var file in ProjectFiles)
        {
            var text = File.ReadAllText(Path.Combine(project, file));
            foreach (var (name, module) in Names) text = text.Replace($"{name} ", $"{module} ");
            File.WriteAllText(Path.Combine(work, Path.GetFileName(file)), text);
        }
        var folders = ProjectFolders.Prepend("hdl").Select(folder => Path.Combine(project, folder))
            .Concat(Folders.Select(folder => Path.Combine(clone, folder)));
        return
        [
            .. folders.SelectMany(folder => new[] { "-y", folder, $"+incdir+{folder}" }),
            .. Files.Select(file => Path.Combine(clone, file)),
            .. ProjectFiles.Select(file => Path.Combine(work, Path.GetFileName(file))),
        ];
    }
}
