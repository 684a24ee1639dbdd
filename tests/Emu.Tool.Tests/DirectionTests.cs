using Emu.Hosting;

namespace Emu.Tool.Tests;

/// <summary>Direction by the command: sessions over captures, and what is refused.</summary>
public sealed class DirectionTests : IDisposable
{
    private const string Address = "02:00:00:00:00:02";
    private const string Session =
        "status\nprint Forwarded\nset Forwarded = 41\nprint Forwarded\nset Stations[3].Value = {0,2}\n"
        + "print Stations[3].Value\nprint Nothing\ncount writes Forwarded max 7\n"
        + "trace start Forwarded if Forwarded > 41\ncount print writes Forwarded\ntrace print Forwarded\nlist\n";
    private const string Features = "print,set,count:Forwarded,trace:Forwarded";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("emu-direction-");

    public DirectionTests()
    {
        File.WriteAllText(In("key"), "00112233445566778899aabbccddeeff\n");
        File.WriteAllText(In("session"), Session);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    [Slow("time")]
    public void A_session_has_one_transcript_on_DotNet_and_in_simulated_hardware()
    {
        Direct("--out", In("requests.pcap")).Succeeded();
        var transcripts = new List<string>();
        string[][] targets =
            [["run"], ["simulate"], ["simulate", "--stall", "3"], ["simulate", "--layout", "engine"]];
        foreach (var target in targets)
        {
            Commands.Emu(
                [
                    target[0], "LearningSwitch", .. target[1..], "--direct", Features, "--direct-key", In("key"),
                    "--direct-address", Address, "--in", In("requests.pcap"), "--out", In("answers.pcap"),
                ]).Succeeded();
            var session = Direct("--in", In("answers.pcap"));
            Assert.Equal(1, session.ExitCode); // Nothing is no variable
            transcripts.Add(session.Output);
        }
        Assert.Contains("direct> print Forwarded\nForwarded = 41\n", transcripts[0]);
        Assert.Contains("Stations[3].Value = {0,2}\n", transcripts[0]);
        Assert.Contains("Forwarded: 0 writes\n", transcripts[0]);
        Assert.Contains("Forwarded: 0 kept, 0 missed\n", transcripts[0]);
        Assert.All(transcripts, transcript => Assert.Equal(transcripts[0], transcript));
    }

    [Fact]
    [Slow("time")]
    public void A_stop_has_one_transcript_on_DotNet_and_in_simulated_hardware()
    {
        File.WriteAllText(
            In("session"),
            "break Process if frame.Length > 100\nstatus\nprint Flooded\ncontinue\nunbreak Process\nprint Flooded\n");
        Direct("--out", In("requests.pcap")).Succeeded();
        // A frame behind the request that sets the breakpoint to work, another while the service is stopped.
        const int Set = 7;
        var requests = CaptureFiles.Read(In("requests.pcap"));
        TimedFrame Behind(int request, int length)
        {
            var frame = new byte[length];
            frame[6] = 2;
            return new TimedFrame(frame, requests[request - 1].Time + 1000);
        }
        CaptureFiles.Write(
            In("frames.pcap"),
            [
                .. requests.Take(Set), Behind(Set, 200), requests[Set], Behind(Set + 1, 60), .. requests.Skip(Set + 1),
            ]);
        var transcripts = new List<string>();
        foreach (var target in (string[][])[["run"], ["simulate"], ["simulate", "--layout", "engine"]])
        {
            Commands.Emu(
                [
                    target[0], "LearningSwitch", .. target[1..], "--direct", "print,break:Process+frame.Length",
                    "--direct-key", In("key"), "--direct-address", Address, "--in", In("frames.pcap"),
                    "--out", In("answers.pcap"),
                ]).Succeeded();
            transcripts.Add(Direct("--in", In("answers.pcap")).Succeeded().Output);
        }
        Assert.Contains("stopped at break Process\ndirect> print Flooded\nFlooded = 0\n", transcripts[0]);
        Assert.EndsWith("Flooded = 2\n", transcripts[0], StringComparison.Ordinal);
        Assert.All(transcripts, transcript => Assert.Equal(transcripts[0], transcript));
    }

    [Fact]
    public void A_woven_assembly_runs_as_any_other()
    {
        Commands.Emu(
            "weave", "LearningSwitch", "--features", Features, "--out", In("woven"), "--direct-key", In("key"))
            .Succeeded();
        Direct("--out", In("requests.pcap")).Succeeded();
        Commands.Emu(
            "run", In("woven/LearningSwitch.dll"), "--in", In("requests.pcap"), "--out", In("answers.pcap"))
            .Succeeded();
        Assert.Contains("Forwarded = 41", Direct("--in", In("answers.pcap"), "--json").Output);
    }

    [Fact]
    public void A_woven_service_finds_the_files_beside_it()
    {
        File.WriteAllText(In("session"), "print Answered\n");
        Direct("--out", In("requests.pcap")).Succeeded();
        Commands.Emu(
            "run", "Dns", "--direct", "print:Answered", "--direct-key", In("key"), "--direct-address", Address,
            "--in", In("requests.pcap"), "--out", In("answers.pcap"),
            "--", "--address", "10.0.0.2", "--zone", "example.zone").Succeeded();
        Assert.EndsWith("Answered = 0\n", Direct("--in", In("answers.pcap")).Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Wrong_use_of_direction_is_refused()
    {
        File.WriteAllText(In("short"), "0011");
        string[] switchOn = ["compile", "LearningSwitch", "--out", In("circuit"), "--direct", "print"];
        Commands.Emu(switchOn).Refused(2, "--direct-address");
        Commands.Emu([.. switchOn, "--direct-address", Address]).Refused(2, "--direct-key");
        Commands.Emu([.. switchOn, "--direct-address", "here", "--direct-key", In("key")]).Refused(2, "'here'");
        Commands.Emu([.. switchOn, "--direct-address", Address, "--direct-key", In("short")]).Refused(2, "32");
        Commands.Emu([.. switchOn, "--direct-address", Address, "--direct-key", In("none")]).Refused(2, "none");
        Commands.Emu("compile", "LearningSwitch", "--direct-key", In("key")).Refused(2, "--direct FEATURES");
        Commands.Emu("weave", "LearningSwitch", "--features", "fly", "--out", In("w"), "--direct-key", In("key"))
            .Refused(2, "'fly'", "print, set");
        Commands.Emu([.. switchOn, "--direct-hold", "0"]).Refused(2, "--direct-hold: from 1 to 256");
        Commands.Emu([.. switchOn, "--direct-lease", "0"]).Refused(2, "--direct-lease: from 1");
        Commands.Emu("direct", "--key", In("key"), "--to", Address).Refused(2, "--port");
        Commands.Emu("direct", "--key", In("key"), "--port", "raw:none", "-c", "status").Refused(2, "--to", "--port");
        Commands.Emu("direct", "--key", In("key"), "--out", In("q"), "--to", Address).Refused(2, "--session");
        Commands.Emu("direct", "--key", In("key"), "--port", "pcap:a", "--to", Address, "-c", "status")
            .Refused(2, "--port");
        Direct("--out", In("q"), "-c", "status").Refused(2, "-c", "-f");
        Commands.Emu("direct", "--key", In("key"), "--out", In("q"), "--to", Address, "--session", "0", "-c", "status")
            .Refused(2, "--session: from 1");
        Commands.Emu("run", "LearningSwitch", "--in", In("key"), "--direct-terms", "3").Refused(2, "--direct FEATURES");
        Commands.Emu("run", "LearningSwitch", "--in", In("key"), "--direct-hold", "3").Refused(2, "--direct FEATURES");
    }

    [Fact]
    public void Captures_are_of_one_address_unless_another_is_named()
    {
        string[] session = ["direct", "--key", In("key"), "--session", "1", "-f", In("session")];
        Direct("--out", In("named.pcap")).Succeeded();
        Commands.Emu([.. session, "--out", In("requests.pcap")]).Succeeded();
        Assert.Equal(
            CaptureFiles.Read(In("named.pcap")).Select(frame => frame.Bytes),
            CaptureFiles.Read(In("requests.pcap")).Select(frame => frame.Bytes));
        Commands.Emu([.. session, "--out", In("others.pcap"), "--to", "02:00:00:00:00:09"]).Succeeded();
        Assert.All(CaptureFiles.Read(In("others.pcap")), frame => Assert.Equal(9, frame.Bytes[5]));
        Commands.Emu(
            "run", "LearningSwitch", "--direct", Features, "--direct-key", In("key"), "--direct-address", Address,
            "--in", In("requests.pcap"), "--out", In("answers.pcap")).Succeeded();
        Assert.Contains(
            "Forwarded = 41", Commands.Emu([.. session, "--in", In("answers.pcap")]).Output, StringComparison.Ordinal);
    }

    /// <summary>A line that is no command, or cannot be asked without answers, is told at once.</summary>
    [Fact]
    public void A_command_that_cannot_be_asked_is_a_failure_at_once()
    {
        File.WriteAllText(In("session"), "prnt Forwarded\n# a comment\nprint Forwarded\nset Forwarded = -1\n");
        var outcome = Direct("--out", In("requests.pcap"));
        Assert.Equal(1, outcome.ExitCode);
        Assert.Equal(
            ["emu: 'prnt' is no command", "emu: a number below 0 needs the variable's width"],
            outcome.Error.Trim().Split('\n').Select(line => line[..line.IndexOfAny([':', ','], 5)]));
        Assert.Equal(2, CaptureFiles.Read(In("requests.pcap")).Count);
    }

    /// <summary>Answers to other commands are none to these, though they have their places in the session.</summary>
    [Fact]
    public void Answers_to_another_session_file_are_none()
    {
        Direct("--out", In("requests.pcap")).Succeeded();
        Commands.Emu(
            "run", "LearningSwitch", "--direct", Features, "--direct-key", In("key"), "--direct-address", Address,
            "--in", In("requests.pcap"), "--out", In("answers.pcap")).Succeeded();
        File.WriteAllText(In("session"), "status\nprint Flooded\nset Forwarded = 7\nprint Forwarded\nlist\n");
        Assert.Equal(
            """
            direct> status
            14 variables; 1 requests done, 0 packets not authentic
            direct> print Flooded
            no answer: it is not known whether the service has seen the request for Flooded
            direct> set Forwarded = 7
            no answer: it is not known whether the service has seen the request for Forwarded
            direct> print Forwarded
            Forwarded = 41
            direct> list
            no answer: it is not known which variables there are

            """,
            Direct("--in", In("answers.pcap")).Output);
    }

    /// <summary>Lines that are piped in are those of the prompt.</summary>
    [Fact]
    public void A_piped_session_ends_where_it_says_so()
    {
        Direct("--out", In("requests.pcap")).Succeeded();
        Commands.Emu(
            "run", "LearningSwitch", "--direct", Features, "--direct-key", In("key"), "--direct-address", Address,
            "--in", In("requests.pcap"), "--out", In("answers.pcap")).Succeeded();
        File.WriteAllText(In("typed"), "status\nquit\nprint Nothing\n");
        var outcome = Commands.Run(
            "sh", "-c",
            $"exec dotnet {Commands.EmuAssembly} direct --to {Address} --key {In("key")} --session 1 "
            + $"--in {In("answers.pcap")} < {In("typed")}").Succeeded();
        Assert.Equal("14 variables; 1 requests done, 0 packets not authentic\n", outcome.Output);
    }

    [Fact]
    public void Answers_that_are_not_there_are_a_failure()
    {
        Direct("--out", In("requests.pcap")).Succeeded();
        Direct("--in", In("requests.pcap")).Refused(1, "no answer");
    }

    private string In(string name) => Path.Combine(_folder.FullName, name);

    private Outcome Direct(params string[] way) => Commands.Emu(
        ["direct", "--to", Address, "--key", In("key"), "--session", "1", "-f", In("session"), .. way]);
}
