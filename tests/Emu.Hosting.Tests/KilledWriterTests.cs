using System.Diagnostics;

namespace Emu.Hosting.Tests;

/// <summary>A process that writes a capture and is killed: this same test in another process.</summary>
public sealed class KilledWriterTests
{
    private const string PathVariable = "EMU_TEST_CAPTURE";
    private const int EnoughBytes = 1_000_000;

    [Theory]
    [InlineData("out.pcap")]
    [InlineData("out.pcapng")]
    public void The_capture_of_a_killed_process_reads_well_to_its_last_whole_frame(string name)
    {
        if (Environment.GetEnvironmentVariable(PathVariable) is { } path)
        {
            WriteUntilKilled(path);
            return;
        }
        using var folder = new TemporaryFolder();
        string[] arguments =
        [
            "--filter-method",
            $"*.{nameof(The_capture_of_a_killed_process_reads_well_to_its_last_whole_frame)}",
        ];
        var start = new ProcessStartInfo(Path.Combine(AppContext.BaseDirectory, "Emu.Hosting.Tests"), arguments)
        {
            RedirectStandardOutput = true,
            Environment = { [PathVariable] = folder[name] },
        };
        using var writer = Process.Start(start)!;
        try
        {
            bool HasWritten() => File.Exists(folder[name]) && new FileInfo(folder[name]).Length > EnoughBytes;
            Assert.True(SpinWait.SpinUntil(HasWritten, Tool.Limit));
        }
        finally
        {
            writer.Kill();
            writer.WaitForExit();
        }
        Assert.True(CountWhole(folder[name]) > EnoughBytes / 200);
    }

    private static int CountWhole(string path)
    {
        using var reader = CaptureReader.Open(path);
        var count = 0;
        try
        {
            while (reader.TryRead(out var packet)) Assert.Equal(count++, Samples.Number(packet.Bytes));
        }
        catch (CommandException e) when (e.Message.Contains("the file ends inside"))
        {
            // Killed in the midst of write(2), which Linux then breaks off between pages.
        }
        return count;
    }

    private static void WriteUntilKilled(string path)
    {
        using var capture = CaptureWriter.Create(path);
        capture.AddInterface("eth0");
        for (var i = 0; i < 10_000_000; i++) capture.Write(0, Samples.Frame(i, 60 + i % 64), (ulong)i);
    }
}
