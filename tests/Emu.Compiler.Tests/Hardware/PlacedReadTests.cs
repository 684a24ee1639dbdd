using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Bytes at places that are computed, as of a trailer, are looked at as they pass.</summary>
public sealed class PlacedReadTests
{
    private static readonly Dictionary<string, Func<Service>> s_services = new()
    {
        ["LastWord"] = () => new LastWord(),
        ["EndBehindTag"] = () => new EndBehindTag(),
        ["LongTrailer"] = () => new LongTrailer(),
        ["PointedAt"] = () => new PointedAt(),
        ["WrittenFront"] = () => new WrittenFront(),
        ["NewTrailer"] = () => new NewTrailer(),
        ["SealedFrame"] = () => new SealedFrame(),
        ["SummedGrowth"] = () => new SummedGrowth(),
    };

    private static readonly Dictionary<string, Subject> s_subjects =
        s_services.ToDictionary(service => service.Key, service => new Subject(service.Value));

    public static TheoryData<string> Services => [.. s_services.Keys];

    [Theory]
    [MemberData(nameof(Services))]
    public void Each_byte_and_each_fault_is_where_it_is_in_CSharp(string service) =>
        Agreement.CheckPipelines(s_subjects[service], Traffic(400));

    [Theory]
    [InlineData("LastWord")]
    [InlineData("EndBehindTag")]
    [InlineData("LongTrailer")]
    [InlineData("WrittenFront")]
    [InlineData("NewTrailer")]
    [InlineData("SealedFrame")]
    [InlineData("SummedGrowth")]
    public void There_is_no_slow_path(string service)
    {
        var compiled = s_subjects[service].Circuit(new HardwareOptions(), Layout.Pipeline);
        Assert.False(
            compiled.Circuit.Design.Sections.Exists(section => section.Title == "states of the program"),
            string.Join('\n', compiled.Bounds.Select(bound => $"{bound.What}, {bound.Location}")));
    }

    /// <summary>Parts of a trailer are looked at by one unit, on whatever ways.</summary>
    [Theory]
    [InlineData("LastWord")]
    [InlineData("EndBehindTag")]
    [InlineData("WrittenFront")]
    public void Parts_of_a_trailer_are_one_window(string service)
    {
        var compiled = s_subjects[service].Circuit(new HardwareOptions(), Layout.Pipeline);
        Assert.Single(compiled.Circuit.Design.Sections, section => section.Title == "loop over the payload");
    }

    [Theory]
    [MemberData(nameof(Services))]
    public void Reset_in_the_middle_of_a_frame_leaves_a_clean_machine(string service) =>
        ResetInAFrame.Check(s_subjects[service], Traffic(60));

    [Theory]
    [MemberData(nameof(Services))]
    [Slow("Icarus")]
    public void It_is_in_Icarus(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(60), OutsideSimulator.Icarus);

    /// <summary>
    /// Frames of each length from the shortest on, that end at each place of a beat; some longer than any may be.
    /// </summary>
    private static List<IncomingFrame> Traffic(int count)
    {
        var random = new Random(31);
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            var bytes = new byte[i < 150 ? 14 + i : i % 40 == 39 ? 1600 : random.Next(14, i % 10 == 0 ? 1515 : 200)];
            random.NextBytes(bytes);
            if (i % 2 == 0) (bytes[^2], bytes[^1]) = (0x88, 0xFB);
            if (i % 3 == 0 && bytes.Length > 19) bytes[^17] = bytes[13];
            // Near the frame's end, or behind it.
            var at = Math.Max(0, bytes.Length + random.Next(-30, 3));
            (bytes[2], bytes[3]) = ((byte)(at >> 8), (byte)at);
            return new IncomingFrame(random.Next(Subject.Ports), bytes, 1000 * (ulong)i);
        })];
    }
}
