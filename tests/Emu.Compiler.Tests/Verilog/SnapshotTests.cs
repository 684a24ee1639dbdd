using System.Runtime.CompilerServices;
using Emu.Compiler.Layouts;
using Emu.Compiler.Verilog;
using Emu.Fuzz;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>
/// The Verilog of small services is the recorded one, byte for byte, whichever process compiles it. After a change on
/// purpose: EMU_RECORD=1, run the test, read the diff, commit it.
/// </summary>
public sealed class SnapshotTests : IDisposable
{
    private const string Filter = """
        /// <summary>Floods what is not of one type.</summary>
        public sealed class Filter : Service
        {
            public Counter Refused { get; } = new();

            public override void Process(ref Frame frame)
            {
                var ethernet = new Ethernet(frame);
                if ((ushort)ethernet.EtherType == 0x86DD) Refused.Increment();
                else frame.Flood();
            }
        }
        """;

    private const string Stamp = """
        /// <summary>Numbers the frames of each port.</summary>
        public sealed class Stamp : Service
        {
            private readonly byte[] _numbers = new byte[4];

            public override void Process(ref Frame frame)
            {
                frame.Bytes[13] = _numbers[frame.Ingress.Index]++;
                frame.Reply();
            }
        }
        """;

    private readonly string _folder = Directory.CreateTempSubdirectory("emu-").FullName;

    public static TheoryData<string, string> Services => new() { { nameof(Filter), Filter }, { nameof(Stamp), Stamp } };

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [MemberData(nameof(Services))]
    public void The_Verilog_is_the_recorded_one(string name, string text)
    {
        var file = Path.Combine(Folder(), $"{name}.v");
        var verilog = Verilog(name, text);
        if (Environment.GetEnvironmentVariable("EMU_RECORD") == "1") File.WriteAllText(file, verilog);
        Assert.Equal(File.ReadAllText(file).ReplaceLineEndings("\n"), verilog);
    }

    [Theory]
    [InlineData("0x86DD", "0x1234", 1)]
    // It shares a byte with the type of a service tag, and so a comparison.
    [InlineData("0x86DD", "0x88CC", 8)]
    // A value that has no other name is named after its line.
    [InlineData("public override void", "\n\n    public override void", 4)]
    // A fifth counter: the bank of counters doubles.
    [InlineData(
        "else frame.Flood();",
        "else { Passed.Increment(); frame.Flood(); } } public Counter Passed { get; } = new(); "
        + "private void Nothing() {",
        60)]
    public void A_small_edit_makes_a_small_diff(string before, string after, int mostLines)
    {
        var edited = Filter.Replace(before, after, StringComparison.Ordinal);
        Assert.NotEqual(Filter, edited);
        var (gone, come) = Changed(Verilog(nameof(Filter), Filter), Verilog(nameof(Filter), edited));
        Assert.True(
            Math.Max(gone.Count, come.Count) <= mostLines,
            $"-{gone.Count} +{come.Count}\n- {string.Join("\n- ", gone)}\n+ {string.Join("\n+ ", come)}");
    }

    /// <summary>The lines that only one text has.</summary>
    private static (List<string> Gone, List<string> Come) Changed(string before, string after)
    {
        List<string> gone = [.. before.Split('\n')], come = [];
        foreach (var line in after.Split('\n'))
            if (!gone.Remove(line)) come.Add(line);
        return (gone, come);
    }

    /// <summary>On the narrowest bus, since that is the shortest text.</summary>
    private string Verilog(string name, string text)
    {
        var folder = Directory.CreateDirectory(Path.Combine(_folder, Guid.NewGuid().ToString())).FullName;
        var parsed = SourceAssembly.Parse(
            $"Snapshots.{Guid.NewGuid()}", OptimizationLevel.Release, [($"{name}.cs", text)]);
        var service = (Service)Activator.CreateInstance(SourceAssembly.LoadWithSymbols(parsed, folder).GetType(name)!)!;
        return VerilogPrinter.Print(
            HardwareCompiler.Compile(service, new HardwareOptions { BusBits = 64 }).Circuit.Design);
    }

    private static string Folder([CallerFilePath] string thisFile = "") =>
        Path.Combine(Path.GetDirectoryName(thisFile)!, "Snapshots");
}
