using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Frames that are cut and filled up again, to 64 bytes at most, or made anew from no bytes.</summary>
public sealed class RefillTests
{
    private static readonly Dictionary<string, Subject> s_subjects = new()
    {
        ["CutTo40"] = new Subject(() => new CutTo40()),
        ["CutAndSent"] = new Subject(() => new CutAndSent()),
        ["CutOrGrown"] = new Subject(() => new CutOrGrown()),
        ["CutTwice"] = new Subject(() => new CutTwice()),
        ["Anew60"] = new Subject(() => new Anew60()),
        ["Anew300"] = new Subject(() => new Anew300()),
        ["AnewComputed"] = new Subject(() => new AnewComputed()),
        ["AnewAndGrown"] = new Subject(() => new AnewAndGrown()),
    };

    public static TheoryData<string> Services => [.. s_subjects.Keys];

    [Theory]
    [MemberData(nameof(Services))]
    public void Each_byte_and_each_fault_is_as_in_CSharp(string service) =>
        Agreement.CheckBuses(s_subjects[service], Traffic(250));

    [Theory]
    [InlineData("CutTo40")]
    [InlineData("CutAndSent")]
    [InlineData("CutTwice")]
    [InlineData("Anew60")]
    [InlineData("Anew300")]
    [InlineData("AnewComputed")]
    public void It_is_the_pipeline_s(string service)
    {
        var compiled = s_subjects[service].Circuit(new HardwareOptions(), null);
        Assert.Equal((Layout.Pipeline, 2), (compiled.Layout, compiled.Options.Interval));
        Assert.Equal([], compiled.SlowPaths.Select(exit => exit.Reason));
    }

    [Theory]
    [MemberData(nameof(Services))]
    [Slow("Icarus")]
    public void It_is_in_Icarus(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(40), OutsideSimulator.Icarus);

    /// <summary>Frames of all lengths around those that they are cut to, and longer ones; none of their bytes is 0.
    /// </summary>
    private static List<IncomingFrame> Traffic(int count)
    {
        var random = new Random(53);
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            var length = i < 100 ? 14 + i : random.Next(14, i % 10 == 0 ? 1515 : 200);
            byte[] frame = [.. Enumerable.Range(0, length).Select(_ => (byte)random.Next(1, 256))];
            return new IncomingFrame(random.Next(Subject.Ports), frame, 1000 * (ulong)i);
        })];
    }
}
