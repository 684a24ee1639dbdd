using System.Diagnostics;
using Emu.Testing;

namespace Emu.Tool.Tests;

/// <summary><c>emu demo</c>, with root and without.</summary>
[Slow("namespaces")]
public sealed class DemoTests
{
    [Fact]
    public void Without_root_it_runs_on_captures_and_says_what_root_would_add()
    {
        var outcome = Commands.EmuUnprivileged("demo").Succeeded();
        Assert.Contains("LearningSwitch: 2 frames in, 2 out", outcome.Output);
        Assert.Contains("IcmpEcho: 2 frames in, 2 out", outcome.Output);
        Assert.Matches(
            @"IcmpEcho as simulated hardware: a reply took \d+ to \d+ cycles; what left is the same", outcome.Output);
        Assert.Contains("With root, ./emu demo", outcome.Output);

        // Its captures stay, to be looked at.
        var folder = outcome.Output.Split("On capture files in ")[1].Split(';')[0];
        Assert.NotEmpty(CaptureFiles.Read(Path.Combine(folder, "echo-out.pcap")));
        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public void With_root_every_ping_is_answered_and_nothing_is_left()
    {
        if (TestNetwork.WhyNotWith("ping") is { } reason) Assert.Skip($"a network of namespaces {reason}");
        using var demo = Commands.Start("dotnet", Commands.EmuAssembly, "demo");
        var outcome = Commands.End(demo).Succeeded();

        Assert.True(
            outcome.Output.Split('\n').Count(line => line.Contains(" 5 of 5 came back", StringComparison.Ordinal)) == 8,
            outcome.Output);
        Assert.Matches(
            @"host 6 pings IcmpEcho as simulated hardware .* a reply took \d+ to \d+ cycles", outcome.Output);
        Assert.Contains("Stations (4)", outcome.Output);
        Assert.DoesNotContain('\e', outcome.Output);
        Assert.Empty(LeftBy(demo));
    }

    [Fact]
    public void One_session_stops_a_switch_and_its_hardware()
    {
        var outcome = Commands.Emu("demo", "direct").Succeeded();
        foreach (var line in (string[])["stopped at break Forwarded.Increment", "Process.ports = {1}"])
            Assert.Equal(2, outcome.Output.Split(line).Length - 1);
        Assert.Contains("The transcripts are the same, byte for byte.", outcome.Output);
    }

    [Fact]
    public void Ctrl_C_ends_it_with_nothing_left()
    {
        if (TestNetwork.WhyNotWith("ping") is { } reason) Assert.Skip($"a network of namespaces {reason}");
        using var demo = Commands.Start("dotnet", Commands.EmuAssembly, "demo");
        demo.StandardOutput.ReadLine(); // the first ping has begun
        Assert.NotEmpty(LeftBy(demo));
        Commands.Run("/bin/sh", "-c", $"kill -INT {demo.Id}").Succeeded();

        var outcome = Commands.End(demo).Succeeded();

        Assert.Contains("stopped", outcome.Error);
        Assert.Empty(LeftBy(demo));
    }

    private static string[] LeftBy(Process demo) => Directory.GetFiles("/run/netns", $"emu-{demo.Id}-*");
}
