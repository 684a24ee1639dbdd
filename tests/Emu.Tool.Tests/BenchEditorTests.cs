namespace Emu.Tool.Tests;

/// <summary><c>emu bench editor</c>: how long the analyser takes is for the machine to say, what it is asked here.</summary>
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
