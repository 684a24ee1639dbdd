namespace Emu.Tool.Tests.Boards;

/// <summary>
/// The modules of netfpga/lib by their own benches, with random stalls on all sides, and warnings of lint.
/// </summary>
[Slow("Icarus, Verilator")]
public sealed class BoardModuleTests : IDisposable
{
    private static readonly string s_folder = Path.Combine(Commands.Root, "netfpga");

    private readonly TemporaryFolder _folder = new();

    /// <summary>The benches.</summary>
    public static TheoryData<string> Benches => [.. Names("test")];

    /// <summary>The modules.</summary>
    public static TheoryData<string> Modules => [.. Names("lib")];

    public void Dispose() => _folder.Dispose();

    [Theory]
    [MemberData(nameof(Benches))]
    public void A_bench_passes_in_Icarus(string bench)
    {
        Tools.Need("iverilog", "vvp");
        var program = _folder["bench.vvp"];
        Commands.Run(
            "iverilog", "-g2005", "-y", Path.Combine(s_folder, "lib"), "-o", program,
            Path.Combine(s_folder, "test", $"{bench}.v")).Succeeded();
        Assert.Equal("PASS\n", Commands.Run("vvp", "-n", program).Succeeded().Output);
    }

    [Theory]
    [MemberData(nameof(Benches))]
    [Campaign("time: g++")]
    public void A_bench_passes_in_Verilator(string bench)
    {
        Tools.Need("verilator", "g++", "make");
        Commands.Run(
            "verilator", "--binary", "--timing", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-CFLAGS", "-O0",
            "--top-module", bench, "-Mdir", _folder["built"], "-y", Path.Combine(s_folder, "lib"),
            Path.Combine(s_folder, "test", $"{bench}.v")).Succeeded();
        Assert.StartsWith("PASS\n", Commands.Run(_folder[$"built/V{bench}"]).Succeeded().Output);
    }

    [Theory]
    [MemberData(nameof(Modules))]
    public void A_module_has_no_warning(string module)
    {
        Tools.Need("verilator", "iverilog");
        var lib = Path.Combine(s_folder, "lib");
        var file = Path.Combine(lib, $"{module}.v");
        var verilator = Commands.Run("verilator", "--lint-only", "-Wall", "-y", lib, file).Succeeded();
        Assert.Empty(verilator.Output + verilator.Error);
        var icarus = Commands.Run("iverilog", "-g2005", "-Wall", "-y", lib, "-t", "null", file).Succeeded();
        Assert.Empty(icarus.Output + icarus.Error);
    }

    private static IEnumerable<string> Names(string folder) =>
        Directory.GetFiles(Path.Combine(s_folder, folder), "*.v")
            .Select(f => Path.GetFileNameWithoutExtension(f)).Order();
}
