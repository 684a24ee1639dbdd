using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Loops whose turns are small: sums modulo a number, and copies of which a frame has few.</summary>
public sealed class SmallLoopTests
{
    private static readonly Dictionary<string, Subject> s_services = new()
    {
        ["Modulo 255"] = new Subject(() => new ModuloSums(255)),
        ["Modulo 251"] = new Subject(() => new ModuloSums(251)),
        ["Modulo 254, which a byte may reach"] = new Subject(() => new ModuloSums(254)),
        ["Modulo 300"] = new Subject(() => new ModuloSums(300)),
        ["A copy for each bit"] = new Subject(() => new CopyOfEachBit()),
    };

    public static TheoryData<string> Services => [.. s_services.Keys];

    [Theory]
    [MemberData(nameof(Services))]
    public void It_does_the_same_on_every_rung(string service) =>
        Agreement.CheckBuses(s_services[service], Traffic(200), interval: 2);

    /// <summary>A sum of a number and a byte is less than twice the number where that is 255 and more.</summary>
    [Theory]
    [InlineData("Modulo 255")]
    [InlineData("Modulo 300")]
    public void Sums_are_taken_as_the_frame_passes(string service)
    {
        var compiled = s_services[service].Circuit(new HardwareOptions(), null);
        Assert.Equal(Layout.Pipeline, compiled.Layout);
        Assert.Null(compiled.Compilation.Slow);
    }

    [Fact]
    public void Only_frames_of_more_than_four_copies_are_deferred()
    {
        var compiled = s_services["A copy for each bit"].Circuit(new HardwareOptions(), null);
        Assert.Equal(Layout.Pipeline, compiled.Layout);
        Assert.Equal("a loop has no constant bound", Assert.Single(compiled.SlowPaths).Reason);
    }

    private static List<IncomingFrame> Traffic(int count)
    {
        var random = new Random(43);
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            var frame = new byte[random.Next(14, i % 20 == 0 ? 700 : 140)];
            if (i % 3 == 0) Array.Fill(frame, (byte)255);
            else random.NextBytes(frame);
            if (i % 4 != 0) frame[12] = (byte)(1 << i % 8 | 1 << i % 5);
            return new IncomingFrame(random.Next(Subject.Ports), frame, 1000 * (ulong)i);
        })];
    }
}
