using Emu.Testing;

namespace Emu.Tool.Tests;

/// <summary>docs/tutorial.md: all that it says is typed as it stands there, in a folder with <c>./emu</c>.</summary>
[Collection(nameof(Builds))]
[Slow("builds")]
public sealed class TutorialTests : IDisposable
{
    // Of its own network and its own names of namespaces; gone with the last process.
    private const string Apart =
        "mkdir -p /run/netns && mount -t tmpfs none /run/netns && exec bash -euo pipefail -c \"$1\"";

    private static readonly IReadOnlyList<PageStep> s_steps =
        PageStep.Read(File.ReadAllText(Path.Combine(Commands.Root, "docs", "tutorial.md")));

    private readonly TemporaryFolder _folder = new();

    public TutorialTests() => File.CreateSymbolicLink(_folder["emu"], Path.Combine(Commands.Root, "emu"));

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void The_first_commands_do_what_the_page_says() =>
        Follow(s_steps.TakeWhile(step => step.Kind != "csharp").Where(step => !step.NeedsRoot));

    [Fact]
    [Campaign("time")]
    public void Everything_but_what_needs_root_does_what_the_page_says() => Follow(Unprivileged());

    [Fact]
    [Campaign("time")]
    public void What_needs_root_does_what_the_page_says()
    {
        if (TestNetwork.WhyNotWith("ping") is { } reason) Assert.Skip($"a network of namespaces {reason}");
        if (!File.Exists("/dev/net/tun")) Assert.Skip("needs /dev/net/tun");
        var files = s_steps.Where(step => step.File is not null);
        var taps = s_steps.SkipWhile(step => !step.NeedsRoot).Take(2);
        Follow([s_steps.First(step => step.Kind == "sh"), .. files, .. taps]);
    }

    private static IEnumerable<PageStep> Unprivileged()
    {
        var isLeftOut = false;
        foreach (var step in s_steps)
        {
            // What is seen belongs to what was typed before.
            isLeftOut = step.Kind == "text" ? isLeftOut : step.NeedsRoot;
            if (!isLeftOut) yield return step;
        }
    }

    private void Follow(IEnumerable<PageStep> steps)
    {
        var seen = "";
        foreach (var step in steps)
        {
            if (step.File is { } file) _folder.Write(file, step.Text);
            else if (step.Kind == "sh") seen = Type(step);
            else if (step.Kind == "text")
                Assert.All(step.Text.TrimEnd('\n').Split('\n'), line => Assert.Contains(line, seen));
            else Assert.Fail($"no reader knows what to do with: {step}");
        }
        Assert.NotEmpty(seen);
    }

    private string Type(PageStep step)
    {
        var line = $"cd '{_folder["."]}'\n{step.Text}";
        var outcome = (step.NeedsRoot
            ? Commands.Run("unshare", "--net", "--mount", "sh", "-c", Apart, "sh", line)
            : Commands.Run("bash", "-euo", "pipefail", "-c", line)).Succeeded();
        return outcome.Output + outcome.Error;
    }
}
