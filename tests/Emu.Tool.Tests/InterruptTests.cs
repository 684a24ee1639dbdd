namespace Emu.Tool.Tests;

/// <summary>Verbs that take long, into a log: they tell that they work, and end when they are asked to.</summary>
public sealed class InterruptTests : IDisposable
{
    /// <summary>128 and the number of the signal, as for every program that ends by one.</summary>
    private const int Interrupted = 128 + 2;

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_compilation_tells_how_far_it_is_and_leaves_nothing_when_it_is_interrupted()
    {
        using var compile = Commands.Start(
            "dotnet", Commands.EmuAssembly, "compile", "Memcached", "--example", "--out", _folder["circuit"]);
        Assert.Matches("^emu: compiling Memcached: .*, [0-9]+ s$", compile.StandardError.ReadLine());
        Commands.Run("kill", "-INT", $"{compile.Id}").Succeeded();
        Assert.Equal(Interrupted, Commands.End(compile).ExitCode);
        Assert.False(Directory.Exists(_folder["circuit"]));
    }
}
