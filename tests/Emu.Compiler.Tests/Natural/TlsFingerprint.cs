using System.Buffers.Binary;
using System.Globalization;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Knows TLS clients by what they offer: a fingerprint of version, cipher suites and extensions in the order of the
/// ClientHello, after JA3 (Althouse, Atkinson and Atkins 2017). Clients on a list are blocked, and all are counted.
/// </summary>
/// <remarks>
/// Instead of MD5 over decimal text the fingerprint is FNV-1a (64 bits) over the numbers; values of GREASE (RFC 8701)
/// are left out, as JA3 does, since browsers draw them. Curves and point formats are not part of it. A ClientHello that
/// goes on in another segment is fingerprinted as far as it is there if all its cipher suites are; the first segment of
/// a browser always has them. Frames pass from port 0 to 1 and back.
/// </remarks>
/// <example>--blocked 21037ea81706f068 --port 443</example>
/// <param name="blocked">A fingerprint that is not let through, 16 digits in hexadecimal.</param>
/// <param name="port">The TCP port of servers.</param>
/// <param name="capacity">Fingerprints that there is room to count.</param>
/// <param name="hashSeed">Seed of the table's hash; choose your own, clients choose the keys.</param>
public sealed class TlsFingerprint(
    string[]? blocked = null, ushort port = 443, [PowerOfTwo(4, 1 << 16)] int capacity = 256, ulong hashSeed = 1)
    : Service
{
    private const byte HandshakeRecord = 22, ClientHello = 1;
    private const int RecordHeader = 5, HandshakeHeader = 4, RandomLength = 32, MaxSessionId = 32;
    private const ulong FnvBasis = 0xCBF2_9CE4_8422_2325, FnvPrime = 0x0000_0100_0000_01B3;

    /// <summary>The features of a client.</summary>
    /// <param name="Hash">Of version, cipher suites and extensions.</param>
    public readonly record struct Fingerprint(ulong Hash) : ITableKey<Fingerprint>
    {
        /// <inheritdoc/>
        public static int Width => 64;

        /// <inheritdoc/>
        public UInt128 KeyBits => Hash;

        /// <inheritdoc/>
        public override string ToString() => Hash.ToString("x16");
    }

    private readonly ConstantTable<Fingerprint, bool> _blocked = new(
        (blocked ?? []).Distinct().ToDictionary(
            text => new Fingerprint(ulong.Parse(text, NumberStyles.HexNumber, CultureInfo.InvariantCulture)), _ =>
                true));

    /// <summary>The ClientHellos of each fingerprint that was seen in the last hour.</summary>
    [Control]
    public AgeingTable<Fingerprint, uint> Clients { get; } = new(capacity, lifetime: 3600, hashSeed);

    /// <summary>ClientHellos that passed.</summary>
    public Counter Passed { get; } = new();

    /// <summary>ClientHellos dropped: their fingerprint is on the list.</summary>
    public Counter Blocked { get; } = new();

    /// <summary>
    /// ClientHellos dropped: lengths contradict each other, or not all cipher suites are in the segment.
    /// </summary>
    public Counter Malformed { get; } = new();

    /// <summary>Frames without a ClientHello, which pass.</summary>
    public Counter Others { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
        var ethernet = new Ethernet(frame);
        if (!TryFindSegment(ethernet, out var tcp) || tcp.DestinationPort != port || !IsClientHello(tcp.Payload))
        {
            Others.Increment();
            return;
        }
        if (!TryFingerprint(tcp.Payload[RecordHeader..], out var fingerprint))
        {
            Malformed.Increment();
            frame.Drop();
            return;
        }
        Clients.GetOrAdd(fingerprint, frame.Seconds, out _)++;
        if (_blocked.TryGet(fingerprint, out _))
        {
            Blocked.Increment();
            frame.Drop();
        }
        else Passed.Increment();
    }

    private static bool TryFindSegment(Ethernet ethernet, out Tcp tcp)
    {
        tcp = default;
        if (ethernet.EtherType == EtherType.IPv4)
            return IPv4.TryParse(ethernet.Payload, out var ip) && !ip.IsFragment && ip.Protocol == IPProtocol.Tcp
                && Tcp.TryParse(ip.Payload, out tcp);
        return ethernet.EtherType == EtherType.IPv6 && IPv6.TryParse(ethernet.Payload, out var ip6)
            && ip6.NextHeader == IPProtocol.Tcp && Tcp.TryParse(ip6.Payload, out tcp);
    }

    /// <summary>True if a record of a handshake begins here, and in it a ClientHello (RFC 8446 §5.1, §4).</summary>
    private static bool IsClientHello(ReadOnlySpan<byte> segment) =>
        segment.Length > RecordHeader && segment[0] == HandshakeRecord && segment[1] == 3
        && segment[RecordHeader] == ClientHello;

    private static bool TryFingerprint(ReadOnlySpan<byte> handshake, out Fingerprint fingerprint)
    {
        fingerprint = default;
        // legacy_version, random, and the length of the session's number (RFC 8446 §4.1.2)
        const int SessionIdOffset = HandshakeHeader + 2 + RandomLength;
        if (handshake.Length <= SessionIdOffset) return false;
        var hash = Add(FnvBasis, BinaryPrimitives.ReadUInt16BigEndian(handshake[HandshakeHeader..]));
        int sessionId = handshake[SessionIdOffset];
        if (sessionId > MaxSessionId) return false;

        var rest = handshake[(SessionIdOffset + 1)..];
        if (rest.Length < sessionId + 2) return false;
        rest = rest[sessionId..];
        int suites = BinaryPrimitives.ReadUInt16BigEndian(rest);
        if (suites < 2 || suites % 2 != 0 || rest.Length < 2 + suites + 1) return false;
        for (var i = 0; i < suites; i += 2)
            hash = Add(hash, BinaryPrimitives.ReadUInt16BigEndian(rest[(2 + i)..]));

        rest = rest[(2 + suites)..];
        int compressions = rest[0];
        if (compressions == 0) return false;
        if (rest.Length >= 1 + compressions + 2)
            hash = AddExtensions(hash, rest[(1 + compressions + 2)..]);
        fingerprint = new Fingerprint(hash);
        return true;
    }

    /// <summary>
    /// Adds the types of the extensions, as many as are in this segment; what they contain is skipped.
    /// </summary>
    private static ulong AddExtensions(ulong hash, ReadOnlySpan<byte> extensions)
    {
        while (extensions.Length >= 4)
        {
            hash = Add(hash, BinaryPrimitives.ReadUInt16BigEndian(extensions));
            var length = 4 + BinaryPrimitives.ReadUInt16BigEndian(extensions[2..]);
            if (length > extensions.Length) break;
            extensions = extensions[length..];
        }
        return hash;
    }

    /// <summary>
    /// Adds a number to a hash, its upper byte first, unless it is one of GREASE: 0x?A?A with both bytes equal.
    /// </summary>
    private static ulong Add(ulong hash, ushort value)
    {
        if ((value & 0x0F0F) == 0x0A0A && value >> 8 == (value & 0xFF)) return hash;
        hash = (hash ^ (uint)(value >> 8)) * FnvPrime;
        return (hash ^ (uint)(value & 0xFF)) * FnvPrime;
    }
}
