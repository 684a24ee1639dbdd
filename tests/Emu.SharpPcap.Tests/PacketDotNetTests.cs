using Emu.Protocols.Tests;

namespace Emu.SharpPcap.Tests;

/// <summary>PacketDotNet and our views see the same in each other's packets.</summary>
public sealed class PacketDotNetTests
{
    private const int Seed = 20261125;
    private const int Frames = 3000;

    /// <summary>IANA "use for experimentation" (RFC 3692).</summary>
    private const string ForExperiments = "253";

    /// <summary>Of tunnelled, fragmented and unknown payload, and of bytes that PacketDotNet takes apart no further.
    /// </summary>
    private static readonly string[] s_notCompared =
    [
        "data.data", "udp.payload", "tcp.options.data", "ieee8021ad.etype", "llc.dsap", "llc.ssap", "llc.control",
        "icmpv6.echo.identifier", "icmpv6.echo.sequence_number", "ip.opt.type", "ip.opt.len", "ip.opt.data",
    ];

    [Fact]
    public void Every_field_that_setters_wrote_is_dissected_by_PacketDotNet_as_the_views_read_it()
    {
        var generator = new PacketGenerator(Seed);
        Compare([.. Enumerable.Range(0, Frames).Select(_ => generator.Next()).Where(IsReadRight)
            .Select(frame => (frame, PacketDotNetFields.Of(PacketConversions.ToPacketDotNet(frame))))],
            // It takes the padding of a frame into this sum.
            "icmpv6.checksum.status");
    }

    [Fact]
    public void Every_field_of_the_packets_that_PacketDotNet_makes_is_read_by_the_views()
    {
        var generator = new PacketDotNetGenerator(Seed);
        Compare([.. Enumerable.Range(0, Frames).Select(_ => generator.Next())
            .Select(packet => (packet.Bytes.ToArray(), PacketDotNetFields.Of(packet)))]);
    }

    /// <summary>
    /// False for what PacketDotNet misreads: it looks for the fields of each extension header of IPv6 in the first, and
    /// takes the protocol for experiments for one more of them.
    /// </summary>
    private static bool IsReadRight(byte[] frame)
    {
        var fields = FieldTable.Of(frame);
        var extensions = ExtensionsOf(frame);
        return fields["ipv6.nxt"] != ForExperiments
            && !extensions.Contains(ForExperiments) && !extensions.Contains(',');
    }

    /// <summary>The protocols that extension headers of IPv6 announce.</summary>
    private static string ExtensionsOf(byte[] frame)
    {
        var fields = FieldTable.Of(frame);
        return $"{fields["ipv6.dstopts.nxt"]},{fields["ipv6.fraghdr.nxt"]}".Trim(',');
    }

    private static void Compare(List<(byte[] Frame, FieldTable Theirs)> frames, params string[] misread)
    {
        var names = frames.SelectMany(frame => frame.Theirs.Names).Distinct().Except(misread).ToList();
        Assert.Empty(frames.SelectMany(frame => FieldTable.Of(frame.Frame).Names).Except(names)
            .Except(s_notCompared).Except(misread));
        // It counts extension headers of IPv6 to the length of what is behind them: that is not compared.
        var upToExtensions = names.Where(name => name.Split('.')[0] is "eth" or "vlan" or "ieee8021ad" or "ipv6");
        for (var i = 0; i < frames.Count; i++)
        {
            var (frame, theirs) = frames[i];
            FieldTable.AssertEqual(
                frame, i, nameof(PacketDotNet), theirs, ExtensionsOf(frame) == "" ? names : upToExtensions);
        }
    }
}
