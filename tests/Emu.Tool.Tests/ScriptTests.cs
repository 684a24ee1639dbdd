namespace Emu.Tool.Tests;

/// <summary><c>./emu</c>, which builds what it needs.</summary>
[Collection(nameof(Builds))]
public sealed class ScriptTests
{
    [Fact]
    public void The_script_at_the_root_runs_the_command_from_anywhere() =>
        Assert.Contains(
            "LearningSwitch", Commands.Run("/bin/sh", "-c", $"cd / && {Commands.Root}/emu list").Succeeded().Output);

    [Fact]
    public void The_script_builds_when_a_source_is_new_changed_or_gone_and_at_no_other_time()
    {
        using var tree = new ScriptTree();
        Assert.True(tree.RunBuilds());
        Assert.False(tree.RunBuilds());

        File.WriteAllText(tree["src/Emu.Core/Frame.cs"], "");
        Assert.True(tree.RunBuilds());
        Assert.False(tree.RunBuilds());

        File.SetLastWriteTimeUtc(tree["src/Emu.Core/Frame.cs"], DateTime.UtcNow.AddSeconds(2));
        Assert.True(tree.RunBuilds());
        File.SetLastWriteTimeUtc(tree["src/Emu.Core/Frame.cs"], DateTime.UtcNow.AddHours(-1));
        Assert.False(tree.RunBuilds());

        File.Delete(tree["src/Emu.Core/Frame.cs"]);
        Assert.True(tree.RunBuilds());
        Assert.False(tree.RunBuilds());

        File.Delete(tree[ScriptTree.Program]);
        Assert.True(tree.RunBuilds());
        Assert.False(tree.RunBuilds());
    }

    [Fact]
    public void The_script_says_how_far_its_build_is()
    {
        using var tree = new ScriptTree();
        Assert.Contains("\nemu: built 1 of 1: Emu.Core\n", tree.Run().Succeeded().Error);
    }

    [Fact]
    public void The_script_builds_again_after_a_build_that_failed_and_shows_what_it_said()
    {
        using var tree = new ScriptTree();
        File.WriteAllText(tree["fails"], "");
        var failed = tree.Run();
        Assert.Equal(1, failed.ExitCode);
        Assert.EndsWith(" minute)\nbroken source\nemu: the build failed\n", failed.Error);
        File.Delete(tree["fails"]);
        Assert.True(tree.RunBuilds());
    }
}
