using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Loops over the bytes of a frame are done in the pipeline as the bytes pass.</summary>
public sealed class FoldTests
{
    private static readonly Dictionary<string, Func<Service>> s_services = new()
    {
        ["PairSearch"] = () => new PairSearch(),
        ["ByteTally of 14"] = () => new ByteTally(14),
        ["ByteTally of 37"] = () => new ByteTally(37),
        ["KeyedEnd"] = () => new KeyedEnd(),
        ["RunningMix"] = () => new RunningMix(),
        ["TaughtSearch"] = () => new TaughtSearch(),
        ["DecimalNumber"] = () => new DecimalNumber(),
        ["QuotedText of 14"] = () => new QuotedText(14),
        ["QuotedText of 61"] = () => new QuotedText(61),
        ["HashedPairs"] = () => new HashedPairs(),
        ["WordSearch"] = () => new WordSearch(),
        ["LineSearch"] = () => new LineSearch(),
        ["FollowedByte"] = () => new FollowedByte(),
        ["TableCrc"] = () => new TableCrc(),
        ["TableParity"] = () => new TableParity(),
        ["LateTally"] = () => new LateTally(),
        ["LateNumber"] = () => new LateNumber(),
        ["HashedText"] = () => new HashedText(),
        ["HashedRest"] = () => new HashedRest(),
        ["ProductFirst"] = () => new ProductFirst(),
        ["ManyTallies"] = () => new ManyTallies(),
    };

    private static readonly Dictionary<string, Subject> s_subjects =
        s_services.ToDictionary(service => service.Key, service => new Subject(service.Value));

    public static TheoryData<string> Services => [.. s_services.Keys];

    public static TheoryData<string> InIcarus => [.. s_services.Keys.Share(3)];

    public static TheoryData<string> InVerilator => [.. s_services.Keys.Share(4)];

    [Theory]
    [MemberData(nameof(Services))]
    public void Each_exit_and_each_fault_is_where_it_is_in_CSharp(string service) =>
        Agreement.CheckPipelines(s_subjects[service], Traffic(Tier.IsAll ? 400 : 150));

    [Theory]
    [InlineData("ByteTally of 14")]
    [InlineData("ByteTally of 37")]
    [InlineData("PairSearch")]
    [InlineData("KeyedEnd")]
    [InlineData("DecimalNumber")]
    [InlineData("QuotedText of 14")]
    [InlineData("QuotedText of 61")]
    [InlineData("HashedPairs")]
    [InlineData("TableCrc")]
    [InlineData("TableParity")]
    [InlineData("LateTally")]
    [InlineData("LateNumber")]
    [InlineData("HashedText")]
    [InlineData("HashedRest")]
    [InlineData("ProductFirst")]
    [InlineData("ManyTallies")]
    public void There_is_no_slow_path(string service)
    {
        var compiled = s_subjects[service].Circuit(new HardwareOptions(), Layout.Pipeline);
        Assert.DoesNotContain(
            compiled.Circuit.Design.Sections, section => section.Title == "states of the program");
    }

    [Theory]
    [InlineData("DecimalNumber")]
    [InlineData("QuotedText of 14")]
    [InlineData("HashedPairs")]
    public void A_loop_whose_turns_wait_is_a_bound_with_its_rate_and_its_line(string service)
    {
        var compiled = s_subjects[service].Circuit(new HardwareOptions(), Layout.Pipeline);
        var loop = Assert.Single(compiled.Circuit.Loops);
        var bound = Assert.Single(
            compiled.Bounds, bound => bound.What.Contains(loop.Rate, StringComparison.Ordinal));
        Assert.Contains("SerialFoldServices.cs", bound.Location!.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Digits_of_a_number_are_one_linear_map()
    {
        var compiled = HardwareCompiler.Compile(new DecimalNumber(), new HardwareOptions(), Layout.Pipeline);
        var loop = Assert.Single(compiled.Circuit.Loops);
        Assert.True(loop is { Bytes: >= 4, Cycles: 1 }, loop.Rate);
    }

    [Theory]
    [InlineData("HashedText", 4)]
    [InlineData("HashedRest", 2)]
    [InlineData("ProductFirst", 2)]
    public void A_hash_that_takes_bytes_by_exclusive_or_is_one_too(string service, int bytes)
    {
        var loop = Assert.Single(s_subjects[service].Circuit(new HardwareOptions(), Layout.Pipeline).Circuit.Loops);
        Assert.True(loop.Bytes >= bytes && loop.Cycles == 1, loop.Rate);
    }

    [Theory]
    [MemberData(nameof(Services))]
    public void Reset_in_the_middle_of_a_frame_leaves_a_clean_machine(string service) =>
        ResetInAFrame.Check(s_subjects[service], Traffic(60));

    [Theory]
    [MemberData(nameof(InIcarus))]
    [Slow("Icarus")]
    public void It_is_in_Icarus(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(60), OutsideSimulator.Icarus);

    [Theory]
    [MemberData(nameof(InVerilator))]
    [Slow("Verilator")]
    public void It_is_in_Verilator(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(60), OutsideSimulator.Verilator);

    /// <summary>An end of the loop stands at every place, and so does the end of the frame.</summary>
    private static List<IncomingFrame> Traffic(int count)
    {
        var random = new Random(19);
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            var bytes = new byte[14 + i % 131];
            random.NextBytes(bytes);
            // Rare bytes stand where they are put; in every other frame all others are digits.
            for (var at = 14; at < bytes.Length; at++)
                bytes[at] = (byte)(i % 2 == 0 ? 3 + bytes[at] % 60 : '0' + bytes[at] % 10);
            if (i % 8 == 1 && bytes.Length >= 36)
                "0123456789ABCDEFGHIJKL"u8.CopyTo(bytes.AsSpan(14 + random.Next(bytes.Length - 35)));
            bytes[0] = (byte)random.Next(bytes.Length + 4);
            if (bytes.Length > 16 && random.Next(4) > 0)
            {
                var at = 14 + i % (bytes.Length - 14);
                bytes[at] = (byte)(random.Next(3) switch { 0 => 0, 1 => 1, _ => 0xFF });
                if (at + 1 < bytes.Length) bytes[at + 1] = 2;
            }
            return new IncomingFrame(random.Next(Subject.Ports), bytes, 1000 * (ulong)i);
        })];
    }
}
