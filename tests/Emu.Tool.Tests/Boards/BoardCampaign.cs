using System.Text.Json;
using Emu.Hosting;

namespace Emu.Tool.Tests.Boards;

/// <summary>
/// Services and samples on boards: a simulated project does what a run does, or is refused for a reason.
/// </summary>
[Slow("Icarus, compiling")]
public sealed class BoardCampaign : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>
    /// Three small samples on boards of each set of templates: one that makes frames, one with time, one with ticks.
    /// Without <c>--all</c> they take turns on the boards.
    /// </summary>
    public static TheoryData<string, string> Few => [.. Pairs(["Mirror", "FloodGuard", "TrafficReport"]).Share(4)];

    /// <summary>A service of each kind: with a slow path, a table, replies, copies, ticks.</summary>
    public static TheoryData<string, string> Kinds => Pairs(
        ["LearningSwitch", "IcmpEcho", "Nat", "Filter", "TcpPing", "Mirror", "TrafficReport"]);

    /// <summary>All services and samples on these boards.</summary>
    public static TheoryData<string, string> All =>
        Pairs(ServiceCatalog.All().Concat(ServiceCatalog.Samples()).Select(type => type.Name));

    [Theory]
    [MemberData(nameof(Few))]
    public void A_small_sample_does_on_a_board_what_a_run_does(string board, string service) =>
        DoesWhatARunDoes(board, service);

    [Theory]
    [MemberData(nameof(All))]
    [Campaign("time: compiling, Icarus")]
    public void Every_service_and_sample_does_on_a_board_what_a_run_does(string board, string service) =>
        DoesWhatARunDoes(board, service);

    [Theory]
    [MemberData(nameof(Kinds))]
    [Campaign("time: g++")]
    public void A_service_of_each_kind_does_on_a_board_in_Verilator_what_a_run_does(string board, string service)
    {
        Tools.Need("verilator", "g++", "make");
        Commands.Emu(["board", service, "--board", board, "--over-clock", "--out", _folder["one"], "--",
            .. Arguments(service)]).Succeeded();
        Assert.Contains(
            "as a run has them",
            Commands.Emu("board", "test", _folder["one"], "--with", "verilator", "--stall", "5", "--no-rates")
                .Succeeded().Output);
    }

    /// <summary>
    /// On every board, also those that differ by their names alone. A project is made anew from the class, in one
    /// process: that another process makes the same is seen of one service in <see cref="BoardTests"/>.
    /// </summary>
    [Theory]
    [MemberData(nameof(BoardTests.Boards), MemberType = typeof(BoardTests))]
    [Campaign("time: compiling")]
    public void Every_service_and_sample_is_the_same_project_twice(string first)
    {
        var folders = BoardCatalog.Find(first).Folders;
        List<Board> boards = [.. BoardCatalog.All.Where(board => board.Folders.SequenceEqual(folders))];
        foreach (var type in ServiceCatalog.All().Concat(ServiceCatalog.Samples()))
        {
            var arguments = Arguments(type.Name);
            List<IReadOnlyDictionary<string, string>> Projects()
            {
                var compiled = BoardVerb.Compile(
                    boards[0], type, arguments, boards[0].Ports[0], FrameLength.DefaultMtu);
                return [.. boards.Select(board => new BoardProject(board, type.Name, arguments, compiled).Files)];
            }
            Assert.Equal(Projects(), Projects());
        }
    }

    /// <summary>
    /// A project that its clock is too fast for is refused with levels and clock, and written when told to.
    /// </summary>
    private void DoesWhatARunDoes(string board, string service)
    {
        Tools.Need("iverilog", "vvp", "verilator");
        string[] command = ["board", service, "--board", board, "--out", _folder["one"]];
        string[] arguments = ["--", .. Arguments(service)];
        var outcome = Commands.Emu([.. command, .. arguments]);
        if (outcome.ExitCode != 0)
        {
            outcome.ErrorEndsWith(1, $"{board} cannot carry {service} at its clock", "MHz is left", "--over-clock");
            Assert.False(Directory.Exists(_folder["one"]));
            Commands.Emu([.. command, "--over-clock", .. arguments]).Succeeded();
        }
        BoardTests.HasNoWarning(_folder["one"]);
        Assert.Contains(
            "as a run has them",
            Commands.Emu("board", "test", _folder["one"], "--stall", "7", "--no-rates").Succeeded().Output);
    }

    /// <summary>
    /// The arguments that its circuit is recorded with; of one that is not recorded, its example's. Memcached sets its
    /// memory after a reset, a byte a cycle: here it has little of it.
    /// </summary>
    private static string[] Arguments(string service)
    {
        if (service == "Memcached") return ["--address", "10.0.0.2", "--chunks", "64"];
        using var recorded = JsonDocument.Parse(
            File.ReadAllText(Path.Combine(Commands.Root, "bench/hardware.json")));
        var circuit = recorded.RootElement.GetProperty("circuits").EnumerateArray()
            .FirstOrDefault(c => c.GetProperty("service").GetString() == service);
        return circuit.ValueKind == JsonValueKind.Undefined
            ? [.. new ServiceArguments(ServiceCatalog.Find(service)).ExampleArguments]
            : circuit.GetProperty("arguments").GetString()!.Split(' ', StringSplitOptions.RemoveEmptyEntries);
    }

    private static TheoryData<string, string> Pairs(IEnumerable<string> services)
    {
        var pairs = new TheoryData<string, string>();
        foreach (var board in BoardTests.Boards)
            foreach (var service in services) pairs.Add(board.Data, service);
        return pairs;
    }
}
