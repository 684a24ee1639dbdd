namespace Emu.Tool.Tests;

/// <summary><c>emu bench editor</c>: which files it looks at; how long each takes depends on the machine.</summary>
public sealed class BenchEditorTests
{
    [Fact]
    [Campaign("time")]
    public void Every_service_and_sample_is_edited()
    {
        var output = Commands.Emu("bench", "editor").Output;
        foreach (var folder in Directory.GetDirectories(Path.Combine(Commands.Root, "services")))
            Assert.Contains($"| services/{Path.GetFileName(folder)}/", output);
        foreach (var sample in Directory.GetFiles(Path.Combine(Commands.Root, "samples"), "*.cs"))
            Assert.Contains($"| samples/{Path.GetFileName(sample)} |", output);
        Assert.Contains("the slowest file: ", output);
    }
}
