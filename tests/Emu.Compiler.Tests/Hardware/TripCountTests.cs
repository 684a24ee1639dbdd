using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Loops of which ranges say how many turns they take at most.</summary>
public sealed class TripCountTests
{
    private static readonly Dictionary<string, Func<Service>> s_services = new()
    {
        ["CountedRecords"] = () => new CountedRecords(),
        ["RecordsUpToAnEnd"] = () => new RecordsUpToAnEnd(),
        ["ClearedWords"] = () => new ClearedWords(),
        ["TurnsThatComeRound"] = () => new TurnsThatComeRound(),
        ["SummedRows"] = () => new SummedRows(),
    };

    private static readonly Dictionary<string, Subject> s_subjects =
        s_services.ToDictionary(service => service.Key, service => new Subject(service.Value));

    public static TheoryData<string> Services => [.. s_services.Keys];

    [Theory]
    [MemberData(nameof(Services))]
    public void Each_turn_is_what_it_is_in_CSharp(string service) => LadderFrames.Check(
        s_subjects[service], Traffic(300),
        LadderFrames.Options with { Interval = 8, Outside = OutsideSimulators.None });

    [Theory]
    [InlineData("CountedRecords")]
    [InlineData("RecordsUpToAnEnd")]
    [InlineData("ClearedWords")]
    public void They_are_done_in_the_pipeline(string service)
    {
        var compiled = s_subjects[service].Circuit(new HardwareOptions { Interval = 8 }, Layout.Pipeline);
        Assert.Null(compiled.Compilation.Slow);
    }

    [Fact]
    public void An_array_of_which_each_turn_has_a_column_is_taken_apart()
    {
        var compiled = s_subjects["SummedRows"].Circuit(new HardwareOptions { Interval = 8 }, Layout.Pipeline);
        Assert.NotNull(compiled.Compilation.Slow);
        Assert.DoesNotContain(compiled.SlowPaths, exit => exit.Reason.Contains("loop", StringComparison.Ordinal));
    }

    /// <summary>
    /// Frames of each number of records, of one less than a check allows and one more, and shorter ones.
    /// </summary>
    private static FrameSequence Traffic(int count)
    {
        var random = new Random(11);
        return FrameSequence.Of([.. Enumerable.Range(0, count).Select(i =>
        {
            var frame = new byte[i % 5 == 4 ? random.Next(60, 130) : 130];
            random.NextBytes(frame);
            frame[14] = (byte)(i % 3 == 0 ? random.Next(16) : 5);
            (frame[0], frame[1]) = i % 2 == 0 ? ((byte)(i % 11), frame[1]) : ((byte)0, (byte)(i % 97));
            return frame;
        })]);
    }
}
