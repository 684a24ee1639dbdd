using Emu.Compiler.Layouts;
using Emu.Protocols;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Offsets that depend on the frame, of a few numbers: the pipeline chooses between the bytes there.</summary>
public sealed class OffsetTests
{
    private static readonly Dictionary<string, Func<Service>> s_services = new()
    {
        ["TagTolerant"] = () => new TagTolerant(),
        ["TaggedHops"] = () => new TaggedHops(),
        ["LateLook"] = () => new LateLook(),
        ["AnyTags"] = () => new AnyTags(),
        ["ReaderBehindOptions"] = () => new ReaderBehindOptions(),
        ["WriterBehindOptions"] = () => new WriterBehindOptions(),
        ["AlertedOrNot"] = () => new AlertedOrNot(),
    };

    /// <summary>A router alert (RFC 2113), and what follows the end of options.</summary>
    private static readonly byte[] s_alert = [148, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

    private static readonly Dictionary<string, Subject> s_subjects =
        s_services.ToDictionary(service => service.Key, service => new Subject(service.Value));

    public static TheoryData<string> Services => [.. s_services.Keys];

    public static TheoryData<string> InIcarus => [.. s_services.Keys.Share(3)];

    [Theory]
    [MemberData(nameof(Services))]
    public void A_frame_is_served_in_the_pipeline_wherever_its_header_is(string service) =>
        Agreement.Check(s_subjects[service], Traffic(500), [
            .. Ladder.Rungs.Skip(1),
            new HardwareRung("pipeline", Layout.Pipeline),
            new HardwareRung("pipeline, source stalls", Layout.Pipeline, source: StallPattern.Random(1, 0.4)),
            new HardwareRung("pipeline, 64 bits", Layout.Pipeline, busBits: 64),
            new HardwareRung("pipeline, 512 bits", Layout.Pipeline, busBits: 512, sink: StallPattern.Random(5, 0.4)),
        ]);

    [Theory]
    [InlineData("TagTolerant")]
    [InlineData("LateLook")]
    [InlineData("WriterBehindOptions")]
    [InlineData("AlertedOrNot")]
    public void There_is_no_slow_path(string service)
    {
        var compiled = s_subjects[service].Circuit(new HardwareOptions(), Layout.Pipeline);
        Assert.DoesNotContain(
            compiled.Circuit.Design.Sections, section => section.Title == "states of the program");
    }

    [Theory]
    [MemberData(nameof(InIcarus))]
    [Slow("Icarus")]
    public void It_is_in_Icarus(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(60), OutsideSimulator.Icarus);

    /// <summary>With no, one, two and three tags; some frames end within their headers.</summary>
    private static List<IncomingFrame> Traffic(int count)
    {
        var random = new Random(11);
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            byte[] tags = [.. Enumerable.Range(0, random.Next(4)).SelectMany(_ =>
                (byte[])[.. random.Next(3) == 0 ? [(byte)0x88, (byte)0xA8] : new byte[] { 0x81, 0 }, 1, (byte)i])];
            byte[] packet = Packet.Bare
                .IPv4(
                    new IPv4Address((uint)random.Next()), new IPv4Address((uint)random.Next()),
                    ttl: (byte)random.Next(3), options: i % 3 == 0 ? s_alert[..(4 * random.Next(4))] : null)
                .Udp(1, (ushort)i).Payload(new byte[random.Next(40)]);
            byte[] frame = [2, 0, 0, 0, 0, (byte)random.Next(), 2, 0, 0, 0, 0, 2, .. tags, 8, 0, .. packet];
            if (tags.Length == 0 && random.Next(2) == 0) frame[12 + 2 + 12] = (byte)random.Next();
            if (random.Next(8) == 0) frame = frame[..random.Next(14, frame.Length)];
            return new IncomingFrame(random.Next(Subject.Ports), frame, 1000 * (ulong)i);
        })];
    }
}

/// <summary>
/// Forwards IPv4 packets by the last byte of their destination, behind a tag or none, a hop less to live.
/// </summary>
public sealed class TagTolerant : Service
{
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var type = ethernet.EtherType;
        var packet = ethernet.Payload;
        if (type == EtherType.CTag && Vlan.TryParse(packet, out var tag))
        {
            type = tag.EtherType;
            packet = tag.Payload;
        }
        if (type != EtherType.IPv4 || packet.Length < IPv4.MinHeaderLength || packet[8] < 2) return;
        packet[8]--;
        frame.ForwardTo(new PortSet(packet[19]));
    }
}

/// <summary>
/// As the one above, behind up to two tags, with the checksum that follows from it; options are rare.
/// </summary>
public sealed class TaggedHops : Service
{
    public Counter Tagged { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var type = ethernet.EtherType;
        var packet = ethernet.Payload;
        for (var i = 0; i < 2; i++)
        {
            if (type is not (EtherType.CTag or EtherType.STag) || !Vlan.TryParse(packet, out var tag)) continue;
            type = tag.EtherType;
            packet = tag.Payload;
            Tagged.Increment();
        }
        if (type != EtherType.IPv4 || !IPv4.TryParse(packet, out var ip) || !ip.HasValidHeaderChecksum || ip.Ttl < 2)
            return;
        ip.Ttl--;
        ip.WriteHeaderChecksum();
        frame.ForwardTo(new PortSet(ip.Destination.Bits));
    }
}

/// <summary>
/// Counts tags, however many there are, and marks the UDP datagrams behind them: those with options or three tags are
/// rare.
/// </summary>
public sealed class AnyTags : Service
{
    public Counter Tags { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var type = ethernet.EtherType;
        var packet = ethernet.Payload;
        while (type is EtherType.CTag or EtherType.STag)
        {
            if (!Vlan.TryParse(packet, out var tag)) return;
            type = tag.EtherType;
            packet = tag.Payload;
            Tags.Increment();
        }
        if (type == EtherType.IPv4 && IPv4.TryParse(packet, out var ip) && Udp.TryParse(ip.Payload, out var udp))
        {
            udp.SourcePort++;
            udp.Checksum = 0;
        }
        frame.ForwardTo(new PortSet(frame.Bytes[5]));
    }
}

/// <summary>Parses first, and asks later whether that went well.</summary>
public sealed class LateLook : Service
{
    public Counter Parsed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var isArp = ethernet.EtherType == EtherType.Arp;
        var isTagged = Vlan.TryParse(ethernet.Payload, out var tag) && ethernet.EtherType == EtherType.CTag;
        if (isTagged) Parsed.Increment();
        if (isArp) frame.Flood();
        else if (isTagged && frame.Ingress.Index != 3) frame.ForwardTo(new PortSet(tag.Vid));
    }
}

/// <summary>
/// Looks behind two headers, each of which says how long it is: the first is taken without options, the second at any
/// of its lengths.
/// </summary>
public sealed class ReaderBehindOptions : Service
{
    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var first = (bytes[14] & 15) * 4;
        if (first < 20 || bytes.Length < 14 + first + 4) return;
        var second = bytes[(14 + first)..];
        var length = (second[2] >> 4) * 4;
        if (length < 8 || second.Length < length + 2) return;
        frame.ForwardTo(new PortSet((byte)(second[length] ^ second[length + 1])));
    }
}

/// <summary>Writes behind a header whose length varies, as its author says.</summary>
public sealed class WriterBehindOptions : Service
{
    public override void Process(ref Frame frame)
    {
        if (!TryFind(frame.Bytes, out var at)) return;
        frame.Bytes[at] ^= 0x80;
        frame.Flood();
    }

    [VariedLength]
    private static bool TryFind(ReadOnlySpan<byte> bytes, out int at)
    {
        at = 0;
        if (bytes.Length < 27) return false;
        at = 26 + (bytes[26] >> 4) * 4;
        return at >= 40 && at < bytes.Length;
    }
}

/// <summary>
/// Forwards UDP datagrams with good checksums by the last byte of their payload's first word, behind a tag or none and
/// a header without options or with a router alert alone.
/// </summary>
public sealed class AlertedOrNot : Service
{
    private const int WithAlert = 24;

    public Counter Ignored { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var type = ethernet.EtherType;
        var packet = ethernet.Payload;
        if (type == EtherType.CTag && Vlan.TryParse(packet, out var tag))
        {
            type = tag.EtherType;
            packet = tag.Payload;
        }
        if (type != EtherType.IPv4 || !IPv4.TryParse(packet, out var ip)
            || ip.HeaderLength is not (IPv4.MinHeaderLength or WithAlert) || !ip.HasValidHeaderChecksum
            || !Udp.TryParse(ip.Payload, out var udp) || !udp.HasValidChecksum(ip) || udp.Payload.Length < 4)
        {
            Ignored.Increment();
            return;
        }
        frame.ForwardTo(new PortId(udp.Payload[3] & 3 ^ udp.DestinationPort & 3));
    }
}
