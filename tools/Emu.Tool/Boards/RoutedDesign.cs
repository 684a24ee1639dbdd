using System.Diagnostics;
using System.Globalization;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>The figures of a routed design, as Vivado gives them.</summary>
/// <param name="Cells">The cells of the service's module by kind: lut, ff, dsp, block_ram.</param>
/// <param name="Slack">The least slack of the whole design in nanoseconds; below 0 a clock is not kept.</param>
internal sealed record RoutedDesign(IReadOnlyDictionary<string, int> Cells, double Slack)
{
    /// <summary>The script of a project that asks Vivado.</summary>
    private const string Script = "tcl/emu_resources.tcl";

    private const string Mark = "emu: ", SlackName = "slack";

    /// <summary>Asks Vivado for the figures of a project that has just been built.</summary>
    /// <param name="project">The project's folder.</param>
    /// <param name="clone">The clone of the shell: some shells build there.</param>
    /// <param name="since">The beginning of the build, in universal time: what is older is of another.</param>
    /// <exception cref="CommandException">There is no routed design, or Vivado says nothing of it.</exception>
    public static RoutedDesign Read(string project, string clone, DateTime since)
    {
        string[] folders = [Path.GetFullPath(project), clone];
        var checkpoint = folders
            .SelectMany(folder => Directory.EnumerateFiles(folder, "*_routed.dcp", SearchOption.AllDirectories))
            .Where(file => File.GetLastWriteTimeUtc(file) >= since)
            .MaxBy(File.GetLastWriteTimeUtc)
            ?? throw CommandException.Failure(
                $"board build: there is no new *_routed.dcp in {folders[0]} or {clone}, so nothing is known of "
                + "resources and slack");
        using var vivado = Process.Start(new ProcessStartInfo(
            "vivado",
            [
                "-mode", "batch", "-nojournal", "-nolog", "-source", Path.Combine(folders[0], Script),
                "-tclargs", checkpoint,
            ])
        { RedirectStandardOutput = true })!;
        var figures = Figures(vivado.StandardOutput.ReadToEnd());
        vivado.WaitForExit();
        return vivado.ExitCode == 0 && figures.Remove(SlackName, out var slack)
            ? new RoutedDesign(figures.ToDictionary(f => f.Key, f => (int)f.Value), slack)
            : throw CommandException.Failure($"board build: Vivado did not say what {checkpoint} takes");
    }

    private static Dictionary<string, double> Figures(string output) => output
        .Split('\n', StringSplitOptions.TrimEntries)
        .Where(line => line.StartsWith(Mark, StringComparison.Ordinal))
        .Select(line => line[Mark.Length..].Split(' '))
        .ToDictionary(words => words[0], words => double.Parse(words[1], CultureInfo.InvariantCulture));
}
