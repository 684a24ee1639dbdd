using System.Buffers.Binary;
using System.Text;
using Emu.Testing;

namespace Emu.Services.Tests;

/// <summary>A cache, and one who asks it.</summary>
internal sealed class MemcachedHost
{
    public static readonly MacAddress Mac = MacAddress.Parse("02:00:00:00:00:02");
    public static readonly MacAddress PeerMac = MacAddress.Parse("02:00:00:00:00:01");
    public static readonly IPv4Address IP = IPv4Address.Parse("10.0.0.2");
    public static readonly IPv4Address Peer = IPv4Address.Parse("10.0.0.1");
    public static readonly IPv6Address IP6 = IPv6Address.Parse("fd00::2");
    public static readonly IPv6Address Peer6 = IPv6Address.Parse("fd00::1");

    private const ushort Id = 0x1234;
    private const int HeaderLength = 24;

    public MemcachedHost(Protocol protocol = Protocol.Auto)
    {
        Service = new Memcached(IP, Mac, IP6, chunks: 64, protocol: protocol);
        Run = new ServiceRun(Service, ports: 1);
    }

    public Memcached Service { get; }

    public ServiceRun Run { get; }

    /// <summary>The time of the next request.</summary>
    public ulong Seconds { get; set; } = 1_700_000_000;

    /// <summary>The answers to a request of the text protocol, a datagram each.</summary>
    public string[] Ask(string request) =>
        [.. Payloads(Packet.Bare.MemcachedFrame(Id).Payload(Encoding.Latin1.GetBytes(request)))
            .Select(Encoding.Latin1.GetString)];

    /// <summary>
    /// The answers to requests of the binary protocol, a line each: opcode, status, extras, key, value, unique number.
    /// </summary>
    public string[] AskBinary(Packet requests) =>
        [.. Payloads([.. Packet.Bare.MemcachedFrame(Id).ToArray(), .. requests.ToArray()]).SelectMany(Lines)];

    /// <summary>The payloads of the datagrams that answer one.</summary>
    public List<byte[]> AskDatagram(byte[] request)
    {
        var answers = new List<byte[]>();
        foreach (var sent in Run.Receive(
            0, Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP).Udp(4000, 11211).Payload(request),
            Seconds * 1_000_000_000))
        {
            var frame = sent.Bytes.ToArray();
            var payload = frame[42..(34 + (frame[38] << 8 | frame[39]))];
            PacketAssert.Equal(
                Packet.Ethernet(Mac, PeerMac).IPv4(IP, Peer, dontFragment: true).Udp(11211, 4000)
                    .Payload(payload).PaddedTo(60),
                frame);
            answers.Add(payload);
        }
        return answers;
    }

    private IEnumerable<byte[]> Payloads(byte[] request) => AskDatagram(request).Select(answer =>
    {
        Assert.Equal("1234000000010000", Convert.ToHexString(answer[..8]));
        return answer[8..];
    });

    private static IEnumerable<string> Lines(byte[] answers)
    {
        for (var at = 0; at < answers.Length;)
        {
            var answer = answers[at..];
            Assert.Equal(0x81, answer[0]);
            Assert.Equal(0, answer[5]);
            Assert.Equal(7u, BinaryPrimitives.ReadUInt32BigEndian(answer.AsSpan(12)));
            var (keyLength, extrasLength) = (answer[2] << 8 | answer[3], (int)answer[4]);
            var bodyLength = (int)BinaryPrimitives.ReadUInt32BigEndian(answer.AsSpan(8));
            var body = answer[HeaderLength..(HeaderLength + bodyLength)];
            var (key, value) = (body[extrasLength..(extrasLength + keyLength)], body[(extrasLength + keyLength)..]);
            yield return string.Join(
                ' ', $"{answer[1]:X2}", $"{answer[7]:X2}", $"[{Convert.ToHexString(body[..extrasLength])}]",
                $"[{Encoding.Latin1.GetString(key)}]", $"[{Text(value)}]",
                BinaryPrimitives.ReadUInt64BigEndian(answer.AsSpan(16)));
            at += HeaderLength + body.Length;
        }
    }

    /// <summary>Text as it is, and other bytes as a number.</summary>
    private static string Text(ReadOnlySpan<byte> value) =>
        value.IndexOfAnyExceptInRange((byte)' ', (byte)'~') >= 0
            ? Convert.ToHexString(value)
            : Encoding.Latin1.GetString(value);
}
