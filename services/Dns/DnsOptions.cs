using Emu.Services.Zones;
using static System.Buffers.Binary.BinaryPrimitives;

namespace Emu.Services;

/// <summary>EDNS(0) of a message: its OPT record (RFC 6891 §6.1).</summary>
/// <param name="IsThere">True if the message has the record.</param>
/// <param name="Size">The longest payload that the sender can take, in bytes.</param>
/// <param name="Version">The version of EDNS.</param>
/// <param name="DnssecOk">The bit DO (RFC 3225 §3).</param>
internal readonly record struct DnsOptions(bool IsThere, ushort Size, byte Version, bool DnssecOk)
{
    /// <summary>The bytes of the record without options: those that an answer has.</summary>
    public const int Length = 11;

    private const int LengthBehindName = 10;
    private const int ClassOffset = 2;
    private const int VersionOffset = 5;
    private const int FlagsOffset = 6;
    private const int DataLengthOffset = 8;
    private const int MaxLabelLength = 63;
    private const byte PointerMark = 0xC0;
    private const byte DnssecOkFlag = 0x80;

    /// <summary>Reads the records behind the question, of which the OPT record is one at most.</summary>
    /// <param name="records">The bytes behind the question.</param>
    /// <param name="count">The number of records there.</param>
    /// <param name="options">EDNS; not to be used if the answer is false.</param>
    /// <returns>False if a record does not end, bytes are left, or there are several OPT records.</returns>
    public static bool TryRead(ReadOnlySpan<byte> records, int count, out DnsOptions options)
    {
        options = default;
        var at = 0;
        for (; count > 0; count--)
        {
            var isRoot = at < records.Length && records[at] == 0;
            if (!TryPassName(records, ref at) || at + LengthBehindName > records.Length) return false;
            var record = records[at..];
            if (ReadUInt16BigEndian(record) == RecordType.Opt)
            {
                if (options.IsThere || !isRoot) return false;
                options = new DnsOptions(
                    true, ReadUInt16BigEndian(record[ClassOffset..]), record[VersionOffset],
                    (record[FlagsOffset] & DnssecOkFlag) != 0);
            }
            at += LengthBehindName + ReadUInt16BigEndian(record[DataLengthOffset..]);
            if (at > records.Length) return false;
        }
        return at == records.Length;
    }

    /// <summary>Writes the record of an answer.</summary>
    /// <param name="bytes">Where it stands.</param>
    /// <param name="size">The longest payload that the server takes.</param>
    /// <param name="isBadVersion">True for the extended code BADVERS (16), which is 0 in the header.</param>
    public void Write(Span<byte> bytes, ushort size, bool isBadVersion)
    {
        bytes[0] = 0;
        WriteUInt16BigEndian(bytes[1..], RecordType.Opt);
        WriteUInt16BigEndian(bytes[3..], size);
        WriteUInt32BigEndian(bytes[5..], (isBadVersion ? 1u << 24 : 0) | (DnssecOk ? 1u << 15 : 0));
        WriteUInt16BigEndian(bytes[9..], 0);
    }

    /// <summary>A name ends with the root's label, or with a pointer (RFC 1035 §4.1.4).</summary>
    private static bool TryPassName(ReadOnlySpan<byte> records, ref int at)
    {
        while (at < records.Length)
        {
            var label = records[at];
            if (label == 0)
            {
                at++;
                return true;
            }
            if (label >= PointerMark)
            {
                at += 2;
                return true;
            }
            if (label > MaxLabelLength) return false;
            at += label + 1;
        }
        return false;
    }
}
