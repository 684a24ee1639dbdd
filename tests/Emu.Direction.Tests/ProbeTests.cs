using Emu.Direction.Directing;
using Emu.Direction.Weaving;
using Emu.Testing;

namespace Emu.Direction.Tests;

/// <summary>Counters and traces of a woven service.</summary>
public sealed class ProbeTests : IDisposable
{
    private const ulong Start = 1_700_000_000_000_000_000;

    private readonly Woven _woven = new();
    private ServiceRun? _run;
    private ServiceLink? _link;

    public void Dispose() => _woven.Dispose();

    /// <summary>
    /// Ten frames: of 60 and 200 bytes in turn; by ports 0, 1, 2, 0 and so on; the source changes every second frame.
    /// </summary>
    [Theory]
    [InlineData("count writes Frames", "count print writes Frames", "Frames: 10 writes")]
    [InlineData("count reads Frames", "count print reads Frames", "Frames: 10 reads")]
    [InlineData("count writes _long", "count print writes _long", "_long: 10 writes")]
    [InlineData("count writes _long max 4", "count print writes _long", "_long: 4 writes, no more")]
    [InlineData("count writes _short", "count print writes _short", "_short: 5 writes")]
    [InlineData("count calls _long.Add", "count print calls _long.Add", "_long.Add: 5 calls")]
    [InlineData("count calls Process", "count print calls Process", "Process: 10 calls")]
    [InlineData("count calls Other", "count print calls Other", "Other: 3 calls")]
    [InlineData("count calls ProbedService.cs:40", "count print calls ProbedService.cs:40",
        "ProbedService.cs:40: 3 calls")]
    [InlineData("count writes _balance", "count print writes _balance", "_balance: 8 writes")]
    [InlineData("count writes _balance if _balance < 0", "count print writes _balance", "_balance: 1 writes")]
    [InlineData("count writes _balance if _balance < 2", "count print writes _balance", "_balance: 3 writes")]
    [InlineData("count writes _balance if _balance >= -1", "count print writes _balance", "_balance: 8 writes")]
    [InlineData("count writes _last if _last == 02:00:00:00:00:02", "count print writes _last", "_last: 2 writes")]
    [InlineData("count writes _short if frame.Length < 100 and Frames > 3", "count print writes _short",
        "_short: 3 writes")]
    [InlineData("count writes _short if frame[11] >= 3", "count print writes _short", "_short: 2 writes")]
    [InlineData("count writes _long if frame[61] == 0", "count print writes _long", "_long: 10 writes")]
    [InlineData("count writes _short if Frames == frame.Length", "count print writes _short", "_short: 0 writes")]
    public void An_event_is_counted(string start, string print, string shown)
    {
        var director = Direct();
        Assert.Empty(Done(director, start));
        Receive(Enumerable.Range(0, 10));
        Assert.Equal([shown], Done(director, print));
    }

    /// <summary>Ten frames: of 60 and 200 bytes in turn, the source changes every second frame.</summary>
    [Theory]
    [InlineData("count writes _sums.Short", "_sums.Short: 10 writes")]
    [InlineData("count reads _sums.Short", "_sums.Short: 20 reads")]
    [InlineData("count writes _sums.Long", "_sums.Long: 5 writes")]
    [InlineData("count reads _last", "_last: 10 reads")]
    [InlineData("count writes _last", "_last: 15 writes")]
    [InlineData("count writes _taken", "_taken: 10 writes")]
    [InlineData("count reads _tested", "_tested: 10 reads")]
    [InlineData("count writes _tested", "_tested: 0 writes")]
    [InlineData("count writes _others._turn", "_others._turn: 10 writes")]
    public void An_event_of_a_variable_that_is_reached_by_its_address_is_counted(string start, string shown)
    {
        var director = Direct("count", typeof(AddressedService));
        Assert.Empty(Done(director, start));
        Receive(Enumerable.Range(0, 10));
        Assert.Equal([shown], Done(director, start.Replace("count", "count print")));
    }

    /// <summary>A count that may miss some would be wrong.</summary>
    [Theory]
    [InlineData("writes _given")]
    [InlineData("writes _aliased")]
    [InlineData("reads _aliased")]
    [InlineData("writes _chosen")]
    [InlineData("writes _turns._turn")]
    public void What_is_not_known_to_be_an_event_is_none(string name) => Assert.StartsWith(
        $"AddressedService has no {name.Split(' ')[0]} of {name.Split(' ')[1]}: there are ",
        Assert.Throws<WeaveException>(() => _woven.Load(typeof(AddressedService), $"count:{name}")).Message);

    [Fact]
    public void Features_that_name_an_event_twice_are_for_what_both_name()
    {
        var director = Direct("count,count:writes Frames+frame.Length,count:Frames+_balance");
        Assert.Empty(Done(director, "count writes Frames if frame.Length > 100 or _balance > 1000"));
        Receive(Enumerable.Range(0, 10));
        Assert.Equal(["Frames: 5 writes"], Done(director, "count print writes Frames"));
    }

    [Fact]
    public void Locals_are_variables_only_where_the_service_can_be_stopped()
    {
        static string[] Names(string features)
        {
            using var woven = new Woven();
            return
            [
                .. woven.Load(typeof(ProbedService), features)
                    .GetFields(System.Reflection.BindingFlags.Instance | System.Reflection.BindingFlags.NonPublic)
                    .Select(field => field.Name).Where(name => name.EndsWith("_source", StringComparison.Ordinal)),
            ];
        }

        Assert.Empty(Names("print,count:writes _last,trace:Frames"));
        Assert.Single(Names("print,watch:_last"));
    }

    [Fact]
    public void A_trace_keeps_the_first_values_and_counts_the_others()
    {
        var director = Direct();
        Assert.Empty(Done(director, "trace start Frames if not Frames == 3 max 4"));
        Receive(Enumerable.Range(0, 7));
        Assert.Equal(
            ["[0] = 1", "[1] = 2", "[2] = 4", "[3] = 5", "Frames: 4 kept, 2 missed"],
            Done(director, "trace print Frames"));
        Assert.Empty(Done(director, "trace clear Frames"));
        Receive([7]);
        Assert.Empty(Done(director, "trace stop Frames"));
        Receive([8]);
        Assert.Equal(["[0] = 8", "Frames: 1 kept, 0 missed"], Done(director, "trace print Frames"));
    }

    [Fact]
    public void A_trace_shows_values_as_what_they_are()
    {
        var director = Direct();
        Assert.Empty(Done(director, "trace start _balance max 3"));
        Assert.Empty(Done(director, "trace start _last max 1"));
        Receive(Enumerable.Range(0, 6));
        Assert.Equal(
            ["[0] = -1", "[1] = 2", "[2] = 1", "_balance: 3 kept, 2 missed"], Done(director, "trace print _balance"));
        Assert.Equal(
            ["[0] = 02:00:00:00:00:00", "_last: 1 kept, 5 missed"], Done(director, "trace print _last"));
    }

    [Fact]
    public void A_counter_goes_on_when_it_is_cleared_and_not_when_it_is_stopped()
    {
        var director = Direct();
        Assert.Empty(Done(director, "count writes Frames max 5"));
        Receive(Enumerable.Range(0, 3));
        Assert.Empty(Done(director, "count clear writes Frames"));
        Receive(Enumerable.Range(3, 2));
        Assert.Equal(["Frames: 2 writes"], Done(director, "count print writes Frames"));
        Assert.Empty(Done(director, "count stop writes Frames"));
        Receive(Enumerable.Range(5, 2));
        Assert.Equal(["Frames: 2 writes"], Done(director, "count print writes Frames"));
    }

    [Theory]
    [InlineData("count writes Flames", "count writes Flames is not woven; list shows what is")]
    [InlineData("count writes _long if Frames > 1",
        "count writes _long does not compare Frames: name what it compares where it is woven, "
        + "count:writes _long+Frames")]
    [InlineData("count writes Frames if Frames == 1 or Frames == 2 or Frames == 5",
        "the condition has 3 comparisons: 2 at most are woven for count writes Frames (--direct-terms)")]
    [InlineData("trace start Frames max 65", "max: trace Frames has less room")]
    public void A_command_that_cannot_be_done_says_why(string line, string why)
    {
        var outcome = Direct().Run(line)!;
        Assert.False(outcome.Done);
        Assert.Equal([why], outcome.Lines);
    }

    [Fact]
    public void List_shows_probes_by_their_commands() =>
        Assert.Equal(
            ["count calls Other", "trace Frames"],
            Direct("count:Other,trace:Frames").Run("list")!.Lines);

    [Theory]
    [InlineData("count:Nothing",
        "ProbedService has no event of Nothing: there are writes _short, writes _long, writes _last, reads _last")]
    [InlineData("count:writes Process", "ProbedService has no writes of Process")]
    [InlineData("trace:ProbedService.cs:40", "ProbedService has no writes of ProbedService.cs:40")]
    [InlineData(
        "count:ProbedService.cs:1", "ProbedService.cs:1: no code begins on this line; in ProbedService.cs it does on")]
    [InlineData("count:Process+nothing",
        "conditions cannot compare nothing: there are frame.Length, frame[0] and so on, _short,")]
    [InlineData("count:Frames+frame.Length+_balance+_ports+_last", "count writes Frames: conditions can name 4 values")]
    [InlineData("print:Frames+frame.Length", "'print:Frames+frame.Length': names behind '+' are for conditions")]
    public void Events_that_are_not_there_are_refused(string features, string why) =>
        Assert.StartsWith(
            why, Assert.Throws<WeaveException>(() => _woven.Load(typeof(ProbedService), features)).Message);

    private static IReadOnlyList<string> Done(Director director, string line)
    {
        var outcome = director.Run(line)!;
        Assert.True(outcome.Done, string.Join('\n', outcome.Lines));
        return outcome.Lines;
    }

    private void Receive(IEnumerable<int> numbers)
    {
        foreach (var i in numbers)
        {
            var frame = new byte[i % 2 == 0 ? 60 : 200];
            (frame[6], frame[11]) = (2, (byte)(i / 2));
            _run!.Receive(i % 3, frame, _link!.Time + (ulong)i);
        }
    }

    private Director Direct(
        string features = "count,count:ProbedService.cs:40,count:writes _short+frame.Length+Frames+frame[11],"
            + "count:writes _long+frame[61],trace", Type? service = null)
    {
        var woven = _woven.Load(service ?? typeof(ProbedService), features);
        Woven.CompileAll(woven);
        _run = new ServiceRun((Service)Activator.CreateInstance(woven)!, start: Start);
        var director = new Director(
            new DirectorSession(DirectedCounter.Key, DirectedCounter.Address, new MacAddress(0x0200_0000_0001), 1),
            _link = new ServiceLink(_run, Start));
        Assert.Null(director.Begin(Start));
        return director;
    }
}
