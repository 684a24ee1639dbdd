using Emu.Compiler.Layouts;
using Emu.Services;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>The circuits that these tests drive, compiled once, and frames for them.</summary>
internal static class HardwareSubject
{
    public static readonly MacAddress Mac = MacAddress.Parse("02:00:00:00:00:02");
    public static readonly MacAddress PeerMac = MacAddress.Parse("02:00:00:00:00:01");
    public static readonly IPv4Address Ip = IPv4Address.Parse("10.0.0.2");
    public static readonly IPv4Address Peer = IPv4Address.Parse("10.0.0.1");

    private static readonly Dictionary<(string, Layout?, int), ManagedSimulator> s_compiled = [];

    public static Service Construct(string service) => service switch
    {
        nameof(LearningSwitch) => new LearningSwitch(),
        nameof(VlanEdge) => new VlanEdge(),
        nameof(RareFrames) => new RareFrames(new LearningSwitch(), 6),
        _ => new IcmpEcho(Ip, Mac),
    };

    /// <summary>A circuit at power-up.</summary>
    public static ManagedSimulator Simulator(string service, Layout? layout, int busBits)
    {
        lock (s_compiled)
        {
            if (!s_compiled.TryGetValue((service, layout, busBits), out var first))
                s_compiled[(service, layout, busBits)] = first = new ManagedSimulator(
                    HardwareCompiler.Compile(
                        Construct(service), new HardwareOptions { BusBits = busBits }, layout).Circuit.Design);
            return first.Another();
        }
    }

    /// <summary>A frame of a length that the service answers, if it is long enough for one.</summary>
    public static byte[] Frame(string service, int length, int number)
    {
        const int EchoHeaders = 42;
        if (service == nameof(VlanEdge)) return Tagged(length, number);
        if (service is nameof(LearningSwitch) or nameof(RareFrames) || length < EchoHeaders)
        {
            byte[] frame = Packet.Ethernet(
                    new MacAddress(2 + (ulong)(number % 5)), new MacAddress(2 + (ulong)(number / 3 % 7)))
                .Payload([.. Enumerable.Range(number, length).Select(i => (byte)i)]);
            // Of these, one in four is deferred, and counted out by so many bytes.
            if (service == nameof(RareFrames)) (frame[12], frame[13]) = ((byte)(number % 11), (byte)number);
            return frame[..length];
        }
        // Now and then a packet with options, which a pipeline leaves to its slow path.
        const int Options = 8;
        if (number % 8 == 5 && length >= EchoHeaders + Options)
            return Packet.Ethernet(PeerMac, Mac)
                .IPv4(Peer, Ip, options: [7, 7, 4, 0, 0, 0, 0, 1]).IcmpEchoRequest(7, (ushort)number)
                .Payload([.. Enumerable.Range(number, length - EchoHeaders - Options).Select(i => (byte)i)]);
        return Packet.Ethernet(PeerMac, Mac).IPv4(Peer, Ip).IcmpEchoRequest(7, (ushort)number)
            .Payload([.. Enumerable.Range(number, length - EchoHeaders).Select(i => (byte)i)]);
    }

    /// <summary>With a VLAN tag, two of three.</summary>
    private static byte[] Tagged(int length, int number)
    {
        byte[] frame = [.. Enumerable.Range(number, length + 18).Select(i => (byte)i)];
        if (number % 3 != 0) (frame[12], frame[13]) = (0x81, 0);
        return frame[..length];
    }

    /// <summary>Sends all frames in; gives all that came out since the bench began.</summary>
    public static List<SentFrame> Drive(Bench bench, IReadOnlyList<IncomingFrame> frames)
    {
        foreach (var frame in frames) bench.Send(frame.Bytes, new PortId(frame.Port), frame.Time);
        bench.QuietCycles = 2_000;
        bench.RunUntilIdle(50_000_000);
        return [.. bench.Received.Select(f => new SentFrame(f.Destinations, f.Bytes.ToArray(), f.User.Time))];
    }

    /// <summary>The frames that .NET sends for some frames.</summary>
    public static List<SentFrame> OnDotNet(string service, IEnumerable<IncomingFrame> frames)
    {
        var run = new ServiceRun(Construct(service), Subject.Ports);
        return [.. frames.SelectMany(f => run.Receive(f.Port, f.Bytes, f.Time))];
    }

    /// <summary>Frames a microsecond apart, on the ports in turn.</summary>
    public static List<IncomingFrame> Frames(string service, IEnumerable<int> lengths) =>
        [.. lengths.Select((length, i) =>
            new IncomingFrame(i % Subject.Ports, Frame(service, length, i), 1000 * (ulong)(i + 1)))];

    public static void AssertEqual(IReadOnlyList<SentFrame> expected, IReadOnlyList<SentFrame> actual)
    {
        Assert.Equal(expected.Count, actual.Count);
        foreach (var (e, a) in expected.Zip(actual))
        {
            Assert.Equal((e.Ports, e.Time), (a.Ports, a.Time));
            PacketAssert.Equal(e.Bytes, a.Bytes);
        }
    }
}
