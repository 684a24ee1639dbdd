using System.CommandLine;

namespace Emu.Tool;

/// <summary><c>emu new</c></summary>
internal static class NewVerb
{
    /// <summary>Makes the verb.</summary>
    public static Command Create()
    {
        var name = new Argument<string>("name")
        {
            Description = "The name of the class: letters, digits and underscores, the first a capital letter",
            HelpName = "NAME",
        };
        var template = new Option<string>("--template")
        {
            Description = $"What is made: {string.Join(", ", ProjectTemplate.Names)}",
            HelpName = "TEMPLATE",
            DefaultValueFactory = _ => ProjectTemplate.Names[0],
        };
        var folder = new Option<string?>("--out")
        {
            Description = "The folder of the project (./NAME)",
            HelpName = "DIR",
        };
        var verb = new Command(
            "new",
            "Make a project of your own: a service that does something, its tests, and what an editor needs. "
            + "Example: ./emu new MyService")
        {
            name, template, folder,
        };
        verb.SetAction(parsed => Make(
            ProjectName.Check(parsed.GetValue(name)!),
            ProjectTemplate.Find(parsed.GetValue(template)!),
            parsed.GetValue(folder) ?? parsed.GetValue(name)!));
        return verb;
    }

    private static void Make(string name, ProjectTemplate template, string folder)
    {
        NewFolder.Check(folder);
        var (version, feed) = (PackageVersion.Own, (string?)null);
        if (Repository.Clone is { } clone && template.NeedsPackages)
            (version, feed) = ClonePackages.Pack(clone);
        using (var made = new NewFolder(folder))
        {
            template.Write(made.Path, name, version);
            if (feed is not null)
                File.WriteAllText(Path.Combine(made.Path, "nuget.config"), ClonePackages.Config(feed));
            made.Keep();
        }
        var manual = Path.Combine(folder, "README.md");
        Console.Out.WriteLine($"{name}: {template.Name} in {folder}; {manual} says how to go on:");
        foreach (var step in template.NextSteps(folder)) Console.Out.WriteLine($"    {step}");
    }
}
