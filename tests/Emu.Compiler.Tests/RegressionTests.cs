using Emu.Fuzz;
using Emu.Testing;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>Programs on which rungs once differed, made small: tests/Emu.Fuzz/Regressions.</summary>
public sealed class RegressionTests
{
    private const string Folder = "Regressions/";
    private const int Frames = 300;

    public static TheoryData<string> Files =>
    [
        .. typeof(Fuzzer).Assembly.GetManifestResourceNames()
            .Where(name => name.StartsWith(Folder, StringComparison.Ordinal))
            .Order(StringComparer.Ordinal),
    ];

    [Theory]
    [MemberData(nameof(Files))]
    public void A_program_that_once_failed_does_the_same_on_every_rung(string file)
    {
        using var reader = new StreamReader(typeof(Fuzzer).Assembly.GetManifestResourceStream(file)!);
        var text = reader.ReadToEnd();
        foreach (var level in new[] { OptimizationLevel.Debug, OptimizationLevel.Release })
        {
            var compilation = SourceAssembly.Parse(
                $"{Path.GetFileNameWithoutExtension(file)}.{level}", level, [(file, text)]);
            var type = SourceAssembly.Load(compilation).GetTypes().Single(t => t.IsSubclassOf(typeof(Service)));
            var difference = Ladder.Difference(
                () => (Service)Activator.CreateInstance(type)!, FrameGenerator.Generate(1, Frames));
            Assert.True(difference is null, difference);
        }
    }
}
