using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A read-only door to a substation: DNP3 over TCP (IEEE 1815-2012) passes towards outstations if each of its link
/// frames has good CRCs and asks only to read, unless the master that sends it may operate.
/// </summary>
/// <param name="operatorAddress">The link addresses of masters that may write, select and operate.</param>
public sealed class Dnp3Guard(ushort[] operatorAddress) : Service
{
    private const ushort Port = 20000, Start = 0x0564;
    private const int HeaderLength = 8, CrcLength = 2, BlockLength = 16, ControlLength = 5;
    private const byte DirectionFromMaster = 0x80, First = 0x40;
    private const ushort Polynomial = 0xA6BC;

    private enum Outcome
    {
        Allowed,
        Malformed,
        BadCrc,
        Refused,
    }

    private readonly ushort[] _operators = operatorAddress;

    public Counter Allowed { get; } = new();

    public Counter Refused { get; } = new();

    public Counter BadCrc { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Tcp || !Tcp.TryParse(ip.Payload, out var tcp)
            || tcp.DestinationPort != Port || tcp.Payload.IsEmpty)
        {
            frame.Flood();
            return;
        }

        ReadOnlySpan<byte> rest = tcp.Payload;
        while (!rest.IsEmpty)
        {
            var outcome = Check(rest, out var length);
            CounterOf(outcome).Increment();
            if (outcome != Outcome.Allowed) return;
            rest = rest[length..];
        }
        frame.Flood();
    }

    /// <summary>Checks the link frame at the start of some bytes, and says how long it is.</summary>
    private Outcome Check(ReadOnlySpan<byte> bytes, out int length)
    {
        length = 0;
        if (bytes.Length < HeaderLength + CrcLength || BinaryPrimitives.ReadUInt16BigEndian(bytes) != Start
            || bytes[2] < ControlLength)
            return Outcome.Malformed;

        var userData = bytes[2] - ControlLength;
        var blocks = (userData + BlockLength - 1) / BlockLength;
        length = HeaderLength + CrcLength + userData + blocks * CrcLength;
        if (length > bytes.Length) return Outcome.Malformed;

        if (!HasGoodCrc(bytes[..(HeaderLength + CrcLength)])) return Outcome.BadCrc;
        var data = bytes[(HeaderLength + CrcLength)..length];
        while (!data.IsEmpty)
        {
            var block = data[..Math.Min(BlockLength + CrcLength, data.Length)];
            if (!HasGoodCrc(block)) return Outcome.BadCrc;
            data = data[block.Length..];
        }

        // Transport header, application control, function code: only the first segment of a fragment has one.
        var isFromMaster = (bytes[3] & DirectionFromMaster) != 0;
        var application = bytes[(HeaderLength + CrcLength)..length];
        if (!isFromMaster || userData < 3 || (application[0] & First) == 0) return Outcome.Allowed;
        var master = BinaryPrimitives.ReadUInt16LittleEndian(bytes[6..]);
        return IsReadOnly(application[2]) || _operators.Contains(master) ? Outcome.Allowed : Outcome.Refused;
    }

    private static bool IsReadOnly(byte function) => function switch
    {
        0 => true, // confirm
        1 => true, // read
        7 or 8 => true, // immediate freeze
        23 => true, // delay measurement
        _ => false,
    };

    private Counter CounterOf(Outcome outcome) => outcome switch
    {
        Outcome.Allowed => Allowed,
        Outcome.Refused => Refused,
        Outcome.BadCrc => BadCrc,
        _ => Malformed,
    };

    /// <summary>True if the last two bytes are the CRC of those in front (IEEE 1815-2012 §9.2.4.3).</summary>
    private static bool HasGoodCrc(ReadOnlySpan<byte> block)
    {
        var crc = 0;
        foreach (var octet in block[..^CrcLength])
        {
            crc ^= octet;
            for (var bit = 0; bit < 8; bit++) crc = (crc & 1) != 0 ? crc >> 1 ^ Polynomial : crc >> 1;
        }
        return BinaryPrimitives.ReadUInt16LittleEndian(block[^CrcLength..]) == (ushort)~crc;
    }
}
