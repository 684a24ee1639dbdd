using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Guards the signalling of a mobile network: SCTP packets pass if their CRC-32C is right, their chunks are well formed
/// and of known types, and their data are of protocols on a list (RFC 9260).
/// </summary>
/// <param name="protocol">The payload protocol identifiers that pass, such as 3 (M3UA), 18 (S1AP),
/// 46 (Diameter).</param>
public sealed class SctpFilter(uint[] protocol) : Service
{
    private const IPProtocol Sctp = (IPProtocol)132;
    private const int HeaderLength = 12, ChunkHeaderLength = 4, DataHeaderLength = 16;

    private enum ChunkType : byte
    {
        Data = 0,
        Init = 1,
        InitAck = 2,
        Sack = 3,
        Heartbeat = 4,
        HeartbeatAck = 5,
        Abort = 6,
        Shutdown = 7,
        ShutdownAck = 8,
        Error = 9,
        CookieEcho = 10,
        CookieAck = 11,
        ShutdownComplete = 14,
    }

    private static readonly uint[] s_crcTable = MakeCrcTable();

    private readonly uint[] _protocols = protocol;

    public Counter Passed { get; } = new();

    public Counter BadChecksum { get; } = new();

    public Counter Malformed { get; } = new();

    public Counter Refused { get; } = new();

    public Counter Associations { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.Protocol != Sctp || ip.IsFragment)
        {
            frame.Flood();
            return;
        }

        var packet = ip.Payload;
        if (packet.Length < HeaderLength + ChunkHeaderLength) Malformed.Increment();
        else if (BinaryPrimitives.ReadUInt32LittleEndian(packet[8..]) != Checksum(packet)) BadChecksum.Increment();
        else if (!AreChunksAllowed(packet, out var isWellFormed)) (isWellFormed ? Refused : Malformed).Increment();
        else
        {
            Passed.Increment();
            frame.Flood();
        }
    }

    private bool AreChunksAllowed(ReadOnlySpan<byte> packet, out bool isWellFormed)
    {
        var verificationTag = BinaryPrimitives.ReadUInt32BigEndian(packet[4..]);
        var chunks = packet[HeaderLength..];
        var isFirst = true;
        isWellFormed = false;
        while (chunks.Length >= ChunkHeaderLength)
        {
            var type = (ChunkType)chunks[0];
            int length = BinaryPrimitives.ReadUInt16BigEndian(chunks[2..]);
            if (length < ChunkHeaderLength || length > chunks.Length) return false;

            // INIT stands alone, and only there is the verification tag 0 (§8.5.1).
            if (type == ChunkType.Init)
            {
                if (!isFirst || verificationTag != 0 || length < 20 || chunks.Length != Padded(length)) return false;
                Associations.Increment();
            }
            else if (verificationTag == 0) return false;

            switch (type)
            {
                case ChunkType.Data:
                    if (length <= DataHeaderLength) return false; // no user data: a protocol violation (§6.2)
                    if (!IsListed(BinaryPrimitives.ReadUInt32BigEndian(chunks[12..])))
                    {
                        isWellFormed = true;
                        return false;
                    }
                    break;
                case ChunkType.ShutdownComplete:
                case <= ChunkType.CookieAck:
                    break;
                default:
                    isWellFormed = true;
                    return false;
            }
            chunks = chunks[Math.Min(Padded(length), chunks.Length)..];
            isFirst = false;
        }
        isWellFormed = chunks.IsEmpty;
        return isWellFormed;
    }

    private bool IsListed(uint identifier)
    {
        foreach (var listed in _protocols)
            if (listed == identifier) return true;
        return false;
    }

    private static int Padded(int length) => length + 3 & ~3;

    /// <summary>The CRC-32C of a packet whose checksum counts as 0 (RFC 9260 appendix A).</summary>
    private static uint Checksum(ReadOnlySpan<byte> packet)
    {
        var crc = uint.MaxValue;
        for (var i = 0; i < packet.Length; i++)
        {
            var octet = i is >= 8 and < 12 ? (byte)0 : packet[i];
            crc = s_crcTable[(byte)(crc ^ octet)] ^ crc >> 8;
        }
        return ~crc;
    }

    private static uint[] MakeCrcTable()
    {
        var table = new uint[256];
        for (var i = 0u; i < table.Length; i++)
        {
            var crc = i;
            for (var bit = 0; bit < 8; bit++) crc = (crc & 1) != 0 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1;
            table[i] = crc;
        }
        return table;
    }
}
