using System.Reflection;
using System.Runtime.CompilerServices;

namespace Emu.Api.Tests;

/// <summary>
/// The public API does not change by accident. After a change on purpose:
/// EMU_RECORD=1, run the test, look at the diff, commit it.
/// </summary>
public sealed class PublicApiTests
{
    [Theory]
    [InlineData("Emu.Core")]
    [InlineData("Emu.Protocols")]
    [InlineData("Emu.Hosting")]
    [InlineData("Emu.Testing")]
    [InlineData("Emu.Compiler")]
    [InlineData("Emu.Simulation")]
    [InlineData("Emu.Direction")]
    [InlineData("Emu.Clocked")]
    public void The_public_API_is_the_recorded_one(string assembly)
    {
        var file = Path.Combine(Folder(), assembly + ".txt");
        var now = PublicApi.Of(Assembly.Load(assembly));
        if (Environment.GetEnvironmentVariable("EMU_RECORD") == "1") File.WriteAllText(file, now);
        var recorded = File.Exists(file) ? File.ReadAllText(file).ReplaceLineEndings("\n") : "";

        var (before, after) = (recorded.Split('\n'), now.Split('\n'));
        Assert.True(
            now == recorded,
            $"gone: {string.Join(" | ", before.Except(after))}\nnew: {string.Join(" | ", after.Except(before))}\n"
            + "if that is meant: EMU_RECORD=1 ./emu test --only Api");
    }

    private static string Folder([CallerFilePath] string thisFile = "") =>
        Path.Combine(Path.GetDirectoryName(thisFile)!, "PublicApi");
}
