namespace Emu.Tool.Tests;

/// <summary><c>./emu</c>, which builds what it needs.</summary>
[Collection(nameof(Builds))]
public sealed class ScriptTests
{
    [Fact]
    public void The_script_at_the_root_runs_the_command_from_anywhere() =>
        Assert.Contains("LearningSwitch", Commands.Run("/bin/sh", "-c", $"cd / && {Commands.Root}/emu list").Succeeded().Output);
}
