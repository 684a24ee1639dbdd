using System.Text.Json;

namespace Emu.Protocols.Tests;

/// <summary>Scapy and our views see the same in each other's packets.</summary>
[Slow("scapy")]
public sealed class ScapyTests
{
    private const string Python = "/usr/bin/python3";
    private const string Seed = "20240602";
    private const int Frames = 600;

    private static readonly string s_script = Path.Combine(AppContext.BaseDirectory, "scapy_packets.py");

    /// <summary>The fields that the script does not report: bytes that scapy has taken apart further.</summary>
    private static readonly string[] s_notCompared =
        ["ip.opt.data", "tcp.option_len", "tcp.options.data", "icmp.unused", "icmpv6.reserved", "icmpv6.opt.data"];

    [Fact]
    public void Every_field_of_the_packets_that_scapy_makes_is_read_by_the_views() =>
        Compare((pcap, json) => OutsideTool.Run(Python, s_script, "generate", Seed, Frames.ToString(), pcap, json));

    [Fact]
    public void Every_field_that_setters_wrote_is_dissected_by_scapy_as_the_views_read_it() => Compare((pcap, json) =>
    {
        var generator = new PacketGenerator(int.Parse(Seed));
        PcapFile.Write(pcap, Enumerable.Range(0, Frames).Select(_ => generator.Next()));
        OutsideTool.Run(Python, s_script, "dissect", pcap, json);
    });

    /// <param name="write">Writes a capture to the first path, and to the second what scapy sees in it.</param>
    private static void Compare(Action<string, string> write)
    {
        OutsideTool.Require("scapy", "python3-scapy", Python, "-c",
            "import importlib.util, sys; sys.exit(importlib.util.find_spec('scapy') is None)");
        var directory = Directory.CreateTempSubdirectory("emu-scapy-").FullName;
        try
        {
            var pcap = Path.Combine(directory, "packets.pcap");
            var json = Path.Combine(directory, "fields.json");
            write(pcap, json);
            AssertEqual(
                PcapFile.Read(pcap),
                JsonSerializer.Deserialize<List<List<string[]>>>(File.ReadAllText(json))!.Select(Table).ToList());
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    private static void AssertEqual(List<byte[]> frames, List<FieldTable> theirs)
    {
        Assert.Equal(Frames, frames.Count);
        Assert.Equal(Frames, theirs.Count);
        var names = theirs.SelectMany(table => table.Names).Distinct().ToList();
        Assert.Empty(frames.SelectMany(frame => FieldTable.Of(frame).Names).Except(names).Except(s_notCompared));
        for (var i = 0; i < frames.Count; i++) FieldTable.AssertEqual(frames[i], i, "scapy", theirs[i], names);
    }

    private static FieldTable Table(List<string[]> fields)
    {
        var table = new FieldTable();
        foreach (var field in fields) table.Add(field[0], field[1]);
        return table;
    }
}
