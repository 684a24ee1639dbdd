using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Room of one of a few sizes that is made in the frame.</summary>
public sealed class InsertChoiceTests
{
    private static readonly Dictionary<string, Subject> s_subjects = new()
    {
        ["OneTagOrTwo"] = new Subject(() => new OneTagOrTwo()),
        ["RoomOfThreeSizes"] = new Subject(() => new RoomOfThreeSizes()),
    };

    public static TheoryData<string> Services => [.. s_subjects.Keys];

    [Theory]
    [MemberData(nameof(Services))]
    public void Each_byte_and_each_fault_is_as_in_CSharp(string service) =>
        Agreement.CheckPipelines(s_subjects[service], Traffic(300));

    [Theory]
    [MemberData(nameof(Services))]
    public void It_is_the_pipeline_s(string service) =>
        Assert.Null(s_subjects[service].Circuit(new HardwareOptions(), Layout.Pipeline).Compilation.Slow);

    [Theory]
    [MemberData(nameof(Services))]
    [Slow("Icarus")]
    public void It_is_in_Icarus(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(60), OutsideSimulator.Icarus);

    [Theory]
    [MemberData(nameof(Services))]
    [Slow("Verilator")]
    public void It_is_in_Verilator(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(60), OutsideSimulator.Verilator);

    /// <summary>Frames of all lengths, of which the longest have no room for more.</summary>
    private static List<IncomingFrame> Traffic(int count)
    {
        var random = new Random(23);
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            var bytes = new byte[i % 25 == 24 ? random.Next(1500, 1519) : random.Next(60, 200)];
            random.NextBytes(bytes);
            if (i % 2 == 0) (bytes[12], bytes[13]) = (0x81, 0);
            return new IncomingFrame(random.Next(Subject.Ports), bytes, 1000 * (ulong)i);
        })];
    }
}
