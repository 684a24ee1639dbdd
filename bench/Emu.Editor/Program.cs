using Emu.Editor;

// emu bench editor: the time of the analyser for each file of each service and sample, after an edit.
const double Goal = 50;
const int WarmUps = 5, Edits = 21;

var root = args[0];
var projects = Directory.GetDirectories(Path.Combine(root, "services"))
    .Append(Path.Combine(root, "samples")).Order(StringComparer.Ordinal);
Console.WriteLine("| file | lines | median, ms | slowest of the middle nine tenths |");
Console.WriteLine("|---|---|---|---|");
var worst = 0.0;
foreach (var folder in projects)
{
    var files = FilesOf(folder).Order(StringComparer.Ordinal).ToList();
    var project = new EditedProject(files);
    foreach (var file in files.Where(file => Path.GetFileName(file) != "Program.cs"))
    {
        for (var i = 0; i < WarmUps; i++) await project.Edit(file, i);
        var times = new List<double>();
        for (var i = 0; i < Edits; i++) times.Add(await project.Edit(file, i));
        times.Sort();
        worst = Math.Max(worst, times[Edits / 2]);
        Console.WriteLine(
            $"| {Path.GetRelativePath(root, file)} | {File.ReadLines(file).Count()} | {times[Edits / 2]:N1} | "
            + $"{times[Edits * 19 / 20]:N1} |");
    }
}
Console.WriteLine($"the slowest file: {worst:N1} ms, goal {Goal:N0} ms");
return worst <= Goal ? 0 : 1;

// Those of a project: what has a project of its own below is no part of it, nor is what builds leave.
static IEnumerable<string> FilesOf(string folder) => Directory.GetFiles(folder, "*.cs").Concat(
    Directory.GetDirectories(folder)
        .Where(below => Path.GetFileName(below) is not ("bin" or "obj") && Directory.GetFiles(below, "*.csproj") is [])
        .SelectMany(FilesOf));
