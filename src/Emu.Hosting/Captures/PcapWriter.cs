using System.Buffers.Binary;

namespace Emu.Hosting;

/// <summary>Writes pcap with nanoseconds (draft-ietf-opsawg-pcap), little-endian.</summary>
internal sealed class PcapWriter : CaptureWriter
{
    private const uint NanosecondMagic = 0xA1B2_3C4D;
    private const uint EthernetLinkType = 1;
    private const int FileHeaderLength = 24;
    private const int RecordHeaderLength = 16;
    private const ulong NanosecondsPerSecond = 1_000_000_000;

    private bool _hasInterface;

    public PcapWriter(FileStream file, string path)
        : base(file, path)
    {
        var header = Append(FileHeaderLength);
        BinaryPrimitives.WriteUInt32LittleEndian(header, NanosecondMagic);
        BinaryPrimitives.WriteUInt16LittleEndian(header[4..], 2);
        BinaryPrimitives.WriteUInt16LittleEndian(header[6..], 4);
        header[8..16].Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(header[16..], CaptureReader.MaxPacketLength);
        BinaryPrimitives.WriteUInt32LittleEndian(header[20..], EthernetLinkType);
        Flush();
    }

    public override int AddInterface(string name)
    {
        if (_hasInterface)
            throw CommandException.Usage(
                $"{Path}: a pcap file holds one interface; name the file something.pcapng to hold several");
        _hasInterface = true;
        return 0;
    }

    public override void SetStatistics(int captureInterface, ulong received, ulong dropped)
    {
    }

    public override void SetEndTime(ulong time)
    {
    }

    private protected override void WriteRecord(
        int captureInterface, ReadOnlySpan<byte> frame, ulong time, PacketDirection direction)
    {
        var record = Append(RecordHeaderLength + frame.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(record, (uint)(time / NanosecondsPerSecond));
        BinaryPrimitives.WriteUInt32LittleEndian(record[4..], (uint)(time % NanosecondsPerSecond));
        BinaryPrimitives.WriteUInt32LittleEndian(record[8..], (uint)frame.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(record[12..], (uint)frame.Length);
        frame.CopyTo(record[RecordHeaderLength..]);
    }
}
