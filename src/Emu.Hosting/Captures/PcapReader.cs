namespace Emu.Hosting;

/// <summary>Reads pcap files (draft-ietf-opsawg-pcap).</summary>
internal sealed class PcapReader : CaptureReader
{
    private const uint MicrosecondMagic = 0xA1B2_C3D4;
    private const uint NanosecondMagic = 0xA1B2_3C4D;
    private const uint SwappedMicrosecondMagic = 0xD4C3_B2A1;
    private const uint SwappedNanosecondMagic = 0x4D3C_B2A1;

    private const int FileHeaderLength = 24;
    private const int MajorVersion = 4;
    private const int LinkType = 20;
    private const ushort Version2 = 2;

    private const int RecordHeaderLength = 16;
    private const int Seconds = 0;
    private const int Fraction = 4;
    private const int CapturedLength = 8;
    private const int OriginalLength = 12;

    private const ulong NanosecondsPerSecond = 1_000_000_000;

    private readonly ulong _nanosecondsPerUnit;
    private readonly int _linkType;
    private readonly int _fcsLength;

    public PcapReader(CaptureInput input)
        : base(input)
    {
        if (input.Fill(FileHeaderLength) < FileHeaderLength) throw CutOff(0);
        var header = input.Take(FileHeaderLength);

        IsBigEndian = true;
        var magic = U32(header);
        IsBigEndian = magic is MicrosecondMagic or NanosecondMagic;
        _nanosecondsPerUnit = magic is MicrosecondMagic or SwappedMicrosecondMagic ? 1000UL : 1;
        if (U16(header[MajorVersion..]) != Version2)
            throw Broken(MajorVersion, $"version {U16(header[MajorVersion..])} of pcap is not known, only 2");

        var network = U32(header[LinkType..]);
        _linkType = (ushort)network;
        // Bit 26 says that frames end in an FCS of as many 16-bit words as the top four bits count.
        if ((network >> 26 & 1) != 0) _fcsLength = (int)(network >> 28) * sizeof(ushort);
    }

    /// <summary>True if the first four bytes, read big-endian, are those of a pcap file.</summary>
    public static bool Recognises(uint magic) =>
        magic is MicrosecondMagic or NanosecondMagic or SwappedMicrosecondMagic or SwappedNanosecondMagic;

    /// <summary>The one that a pcap file is of.</summary>
    internal override int InterfaceCount => 1;

    private protected override bool TryReadPacket(out CapturedPacket packet)
    {
        packet = default;
        var offset = Input.Offset;
        var there = Input.Fill(RecordHeaderLength);
        if (there == 0) return false;
        if (there < RecordHeaderLength) throw CutOff(offset);

        var captured = U32(Input.Peek(RecordHeaderLength)[CapturedLength..]);
        if (captured > MaxPacketLength)
            throw Broken(
                offset, $"a packet of {captured:N0} bytes is longer than any capture's ({MaxPacketLength:N0})");
        if (_linkType != EthernetLinkType) throw NotEthernet(_linkType);

        var length = RecordHeaderLength + (int)captured;
        if (Input.Fill(length) < length) throw CutOff(offset);
        var record = Input.Take(length);
        // Some programs write an original length of 0, or one below what they captured: what is there counts.
        var original = Math.Max(Math.Min(U32(record[OriginalLength..]), int.MaxValue), captured);
        var time = U32(record[Seconds..]) * NanosecondsPerSecond + U32(record[Fraction..]) * _nanosecondsPerUnit;
        packet = WithoutFcs(record[RecordHeaderLength..], (int)original, time);
        return true;
    }

    private CapturedPacket WithoutFcs(ReadOnlySpan<byte> bytes, int original, ulong time)
    {
        var onWire = Math.Max(original - _fcsLength, 0);
        return new CapturedPacket(bytes[..Math.Min(bytes.Length, onWire)], onWire, time, 0, PacketDirection.Unknown);
    }
}
