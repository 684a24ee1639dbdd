using Emu.Compiler.Layouts;
using Emu.Compiler.Reports;
using Emu.Protocols;
using Emu.Services;

namespace Emu.Compiler.Tests;

/// <summary>The C# that is done in each step, and its cost.</summary>
public sealed class StepTests
{
    [Fact]
    public void Stages_are_in_order_and_state_is_written_no_more_of_them_behind_its_read_than_the_interval()
    {
        const int Interval = 2;
        var steps =
            HardwareCompiler.Compile(new LearningSwitch(), new HardwareOptions { Interval = Interval }).Circuit.Steps;
        Assert.Equal(Enumerable.Range(0, steps.Count).Select(i => $"stage {i}"), steps.Select(s => s.Title));
        Assert.All(steps.SkipLast(1).Select((step, i) => (step, i)), s => Assert.Equal([s.i + 1], s.step.Next));

        var elements = steps.SelectMany(s => s.Accesses).Select(a => a.Element).Distinct().ToList();
        Assert.Contains(elements, e => e.Name == "Stations.turn");
        foreach (var element in elements)
        {
            List<int> Stages(bool isWrite) =>
                [.. Enumerable.Range(0, steps.Count)
                    .Where(i => steps[i].Accesses.Any(a => a.Element == element && a.IsWrite == isWrite))];
            var (reads, writes) = (Stages(isWrite: false), Stages(isWrite: true));
            Assert.True(writes.Count <= 1, element.Name);
            if (reads.Count > 0 && writes.Count > 0) Assert.InRange(writes[0] - reads.Min(), 0, Interval - 1);
        }
        Assert.All(steps, s => Assert.InRange(s.Levels, 0, new HardwareOptions().Levels));
        // The hash of the address does not wait for anything; what depends on words of the table is a stage later.
        Assert.Contains(steps[0].Operations, o => o.Location?.Method == "H3Hash.Index");
        Assert.DoesNotContain(
            steps[0].Accesses, a => a.Element.Name.StartsWith("Stations.ways", StringComparison.Ordinal));
    }

    [Fact]
    public void An_engine_has_its_entry_first_and_each_state_is_reached_from_another()
    {
        var circuit = HardwareCompiler.Compile(
            HardwareSubject.Construct(nameof(IcmpEcho)), new HardwareOptions(), Layout.Engine).Circuit;
        Assert.Equal(
            Enumerable.Range(1, circuit.Steps.Count - 1),
            circuit.Steps.SelectMany(s => s.Next).Distinct().Order().Where(i => i > 0));
        Assert.Contains(circuit.Steps[0].Operations, o =>
            o.Location?.Caller is { } at && (at.Method == "IcmpEcho.Process" || at.Caller is not null));
        Assert.All(circuit.Steps, step => Assert.Contains(step.Active, circuit.Design.Flops));
        // Every operation of the program is done somewhere.
        Assert.Contains(
            circuit.Steps.SelectMany(s => s.Accesses), a => a.IsWrite && a.Element.Name == "EchoReplies.Value");
    }

    [Fact]
    public void Costs_of_depth_0_sum_up_to_the_whole_and_callees_to_no_more_than_their_caller()
    {
        var circuit = HardwareCompiler.Compile(new LearningSwitch(), new HardwareOptions()).Circuit;
        var costs = Cost.Of(circuit);
        var whole = Resources.Of(circuit.Design, costs);
        var outermost = costs.Where(c => c.Depth == 0).ToList();
        Assert.Equal((whole.FlopBits, whole.RamBits), (outermost.Sum(c => c.FlopBits), outermost.Sum(c => c.RamBits)));
        var process = costs.Single(c => c.Name == "LearningSwitch.Process");
        Assert.False(process.IsLayout);
        // The table is the service's, the FIFO is not.
        Assert.True(process.RamBits >= 256 * (48 + 4));
        Assert.Contains(
            costs, c => c.IsLayout && c.Name.StartsWith("frame FIFO", StringComparison.Ordinal) && c.RamBits > 0);
        var callees = costs.SkipWhile(c => c != process)
            .Skip(1).TakeWhile(c => c.Depth > 0).Where(c => c.Depth == 1).ToList();
        Assert.Contains(callees, c => c.Name == "AgeingTable.Set" && c.Luts > 0);
        Assert.True(callees.Sum(c => c.FlopBits) <= process.FlopBits);
    }

    /// <summary>
    /// The user's lines with what they use of libraries, the dearest first: those that a summary names.
    /// </summary>
    [Fact]
    public void Lines_of_the_service_are_in_the_order_of_their_LUTs()
    {
        var circuit = HardwareCompiler.Compile(new LearningSwitch(), new HardwareOptions()).Circuit;
        var (lines, costs) = (Cost.ByLine(circuit), Cost.Of(circuit));
        Assert.All(lines, l => Assert.True(l.Line is { Caller: null, Line: > 0, IsLibrary: false } && l.Copies == 1));
        Assert.Equal(lines.OrderByDescending(l => l.Luts), lines);
        Assert.Equal(lines.Count, lines.Select(l => l.Line).Distinct().Count());
        var process = costs.Single(c => c.Name == "LearningSwitch.Process");
        Assert.InRange(lines.Sum(l => l.Luts), process.Luts - lines.Count, process.Luts + lines.Count);
        var texts = lines.Take(2).Select(l => File.ReadAllLines(l.Line.File)[l.Line.Line - 1]).ToList();
        Assert.Contains(texts, text => text.Contains(".Set(", StringComparison.Ordinal));
        Assert.Contains(texts, text => text.Contains(".TryGet(", StringComparison.Ordinal));
    }

    /// <summary>A method has logic of its own wherever it is called.</summary>
    [Fact]
    public void A_line_of_a_method_called_twice_is_there_twice()
    {
        var lines = Cost.ByLine(
            HardwareCompiler.Compile(new CalledTwice(), new HardwareOptions(), Layout.Pipeline).Circuit);
        Assert.Equal(
            2, lines.Single(l => l.Line.Method.EndsWith("CalledTwice.Mixed", StringComparison.Ordinal)).Copies);
    }

    private sealed class CalledTwice : Service
    {
        public override void Process(ref Frame frame)
        {
            var ethernet = new Ethernet(frame.Bytes);
            ethernet.Source = new MacAddress(Mixed(ethernet.Source.Bits));
            ethernet.Destination = new MacAddress(Mixed(ethernet.Destination.Bits));
            frame.Flood();
        }

        private static ulong Mixed(ulong x) => (x + 0x9E37 ^ x >> 7) & 0xFFFF_FFFF_FFFF;
    }
}
