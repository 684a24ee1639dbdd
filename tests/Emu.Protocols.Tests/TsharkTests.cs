namespace Emu.Protocols.Tests;

/// <summary>Wireshark's dissectors see in our packets what our views see.</summary>
[Slow("tshark")]
public sealed class TsharkTests
{
    private const int Seed = 20240601;
    private const int Frames = 3000;

    private static readonly string[] s_names =
    [
        "eth.dst", "eth.src", "eth.type", "eth.len",
        "vlan.priority", "vlan.dei", "vlan.id", "vlan.etype", "vlan.len", "ieee8021ad.priority", "ieee8021ad.dei",
        "ieee8021ad.id", "llc.dsap", "llc.ssap", "llc.control", "arp.opcode", "arp.src.hw_mac", "arp.src.proto_ipv4",
        "arp.dst.hw_mac", "arp.dst.proto_ipv4", "ip.hdr_len", "ip.dsfield.dscp", "ip.dsfield.ecn", "ip.len", "ip.id",
        "ip.flags.rb", "ip.flags.df", "ip.flags.mf", "ip.frag_offset", "ip.ttl", "ip.proto", "ip.checksum",
        "ip.checksum.status", "ip.src", "ip.dst", "ip.opt.type", "ip.opt.len", "ipv6.tclass.dscp", "ipv6.tclass.ecn",
        "ipv6.flow", "ipv6.plen", "ipv6.nxt", "ipv6.hlim", "ipv6.src", "ipv6.dst", "ipv6.dstopts.nxt",
        "ipv6.dstopts.len_oct", "ipv6.fraghdr.nxt", "ipv6.fraghdr.offset", "ipv6.fraghdr.more", "icmp.type",
        "icmp.code", "icmp.checksum", "icmp.checksum.status", "icmp.ident", "icmp.seq", "icmpv6.type", "icmpv6.code",
        "icmpv6.checksum", "icmpv6.checksum.status", "icmpv6.echo.identifier", "icmpv6.echo.sequence_number",
        "icmpv6.nd.ns.target_address", "icmpv6.nd.na.target_address", "icmpv6.nd.na.flag.r", "icmpv6.nd.na.flag.s",
        "icmpv6.nd.na.flag.o", "icmpv6.opt.type", "icmpv6.opt.length", "icmpv6.opt.linkaddr", "udp.srcport",
        "udp.dstport", "udp.length", "udp.checksum", "udp.checksum.status", "udp.payload", "tcp.srcport", "tcp.dstport",
        "tcp.seq_raw", "tcp.ack_raw", "tcp.hdr_len", "tcp.flags", "tcp.window_size_value", "tcp.checksum",
        "tcp.checksum.status", "tcp.urgent_pointer", "tcp.option_kind", "tcp.option_len", "tcp.options.mss_val",
        "tcp.options.wscale.shift", "tcp.options.timestamp.tsval", "tcp.options.timestamp.tsecr", "tcp.payload",
        "data.data",
    ];

    /// <summary>
    /// The fields that tshark does not name, or names in another unit;
    /// their bytes are in the lengths and payloads that it does name.
    /// </summary>
    private static readonly string[] s_notCompared = ["ieee8021ad.etype", "ip.opt.data", "tcp.options.data"];

    [Fact]
    public void Every_field_that_setters_wrote_is_dissected_by_tshark_as_the_views_read_it()
    {
        OutsideTool.Require("tshark", "tshark", "tshark", "--version");
        var generator = new PacketGenerator(Seed);
        var frames = Enumerable.Range(0, Frames).Select(_ => generator.Next()).ToList();
        var dissected = Dissect(frames);
        Assert.Equal(frames.Count, dissected.Count);
        Assert.Empty(s_names.Except(dissected.SelectMany(table => table.Names)));
        Assert.Empty(frames.SelectMany(frame => FieldTable.Of(frame).Names).Except(s_names).Except(s_notCompared));
        for (var i = 0; i < frames.Count; i++) FieldTable.AssertEqual(frames[i], i, "tshark", dissected[i], s_names);
    }

    private static List<FieldTable> Dissect(IEnumerable<byte[]> frames)
    {
        var path = Path.GetTempFileName();
        try
        {
            PcapFile.Write(path, frames);
            string[] preferences =
            [
                "ip.check_checksum:TRUE", "udp.check_checksum:TRUE", "tcp.check_checksum:TRUE", "ip.defragment:FALSE",
                "ipv6.defragment:FALSE", "tcp.desegment_tcp_streams:FALSE",
            ];
            var output = OutsideTool.Run("tshark",
            [
                "-n", "-r", path, "-T", "fields", "-E", "separator=/t", "-E", "aggregator=,",
                .. preferences.SelectMany(preference => (string[])["-o", preference]),
                .. s_names.SelectMany(name => (string[])["-e", name]),
            ]);
            return output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(Table).ToList();
        }
        finally
        {
            File.Delete(path);
        }
    }

    private static FieldTable Table(string line)
    {
        var table = new FieldTable();
        foreach (var (name, values) in s_names.Zip(line.Split('\t')))
        {
            // tshark shows a payload of UDP and TCP a second time, as data.
            if (name == "data.data" && table["udp.payload"] + table["tcp.payload"] != "") continue;
            foreach (var value in values.Split(',', StringSplitOptions.RemoveEmptyEntries))
            {
                // It lists the end of the option list, before which our cursors stop, and all padding behind it.
                if ((name is "ip.opt.type" or "tcp.option_kind") && value == "0") continue;
                table.Add(name, value);
            }
        }
        return table;
    }
}
