using System.Buffers.Binary;
using System.Text;

namespace Emu.Hosting;

/// <summary>
/// Writes pcapng with nanoseconds (draft-ietf-opsawg-pcapng), little-endian: one section,
/// statistics of each interface at its end.
/// </summary>
internal sealed class PcapngWriter : CaptureWriter
{
    private const ushort EthernetLinkType = 1;
    private const byte Nanoseconds = 9;
    private const int MaxName = 255;

    private sealed class Interface
    {
        public ulong First = ulong.MaxValue;
        public ulong Last;
        public ulong? Received;
        public ulong Dropped;
    }

    private readonly List<Interface> _interfaces = [];
    private ulong _endTime;

    public PcapngWriter(FileStream file, string path)
        : base(file, path)
    {
        var application = "Emu"u8;
        Span<byte> body = stackalloc byte[PcapngBlock.SectionOptions
            + OptionLength(application.Length) + PcapngBlock.OptionHeaderLength];
        body.Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(body, PcapngBlock.ByteOrderMagic);
        BinaryPrimitives.WriteUInt16LittleEndian(body[PcapngBlock.SectionMajorVersion..], 1);
        BinaryPrimitives.WriteInt64LittleEndian(body[PcapngBlock.SectionLength..], -1);   // not known before the end
        WriteOption(body[PcapngBlock.SectionOptions..], PcapngBlock.UserApplication, application);
        body.CopyTo(AppendBlock(PcapngBlock.SectionHeader, body.Length));
        Flush();
    }

    public override int AddInterface(string name)
    {
        Span<byte> text = stackalloc byte[MaxName];
        Encoding.UTF8.TryGetBytes(name, text, out var length);
        text = text[..length];

        var body = AppendBlock(
            PcapngBlock.InterfaceDescription,
            PcapngBlock.InterfaceOptions + OptionLength(text.Length)
            + OptionLength(1) + PcapngBlock.OptionHeaderLength);
        BinaryPrimitives.WriteUInt16LittleEndian(body, EthernetLinkType);
        BinaryPrimitives.WriteUInt32LittleEndian(
            body[PcapngBlock.InterfaceSnapLength..], CaptureReader.MaxPacketLength);
        var options = WriteOption(body[PcapngBlock.InterfaceOptions..], PcapngBlock.InterfaceName, text);
        WriteOption(options, PcapngBlock.TimestampResolution, [Nanoseconds]);
        _interfaces.Add(new Interface());
        return _interfaces.Count - 1;
    }

    public override void SetStatistics(int captureInterface, ulong received, ulong dropped) =>
        (_interfaces[captureInterface].Received, _interfaces[captureInterface].Dropped) = (received, dropped);

    public override void SetEndTime(ulong time) => _endTime = time;

    private protected override void WriteRecord(
        int captureInterface, ReadOnlySpan<byte> frame, ulong time, PacketDirection direction)
    {
        var source = _interfaces[captureInterface];
        source.First = Math.Min(source.First, time);
        source.Last = Math.Max(source.Last, time);

        var data = PcapngBlock.Padded(frame.Length);
        var options = direction == PacketDirection.Unknown
            ? 0
            : OptionLength(sizeof(uint)) + PcapngBlock.OptionHeaderLength;
        var body = AppendBlock(PcapngBlock.EnhancedPacket, PcapngBlock.PacketData + data + options);
        BinaryPrimitives.WriteUInt32LittleEndian(body, (uint)captureInterface);
        WriteTime(body[PcapngBlock.PacketTimeHigh..], time);
        BinaryPrimitives.WriteUInt32LittleEndian(body[PcapngBlock.PacketCapturedLength..], (uint)frame.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(body[PcapngBlock.PacketOriginalLength..], (uint)frame.Length);
        frame.CopyTo(body[PcapngBlock.PacketData..]);
        if (options == 0) return;

        Span<byte> flags = stackalloc byte[sizeof(uint)];
        BinaryPrimitives.WriteUInt32LittleEndian(flags, (uint)direction);
        WriteOption(body[(PcapngBlock.PacketData + data)..], PcapngBlock.PacketFlags, flags);
    }

    private protected override void WriteEnd()
    {
        for (var i = 0; i < _interfaces.Count; i++) WriteStatistics(i, _interfaces[i]);
    }

    private void WriteStatistics(int number, Interface source)
    {
        var end = Math.Max(_endTime, source.Last);
        var start = Math.Min(source.First, end);
        var counters = source.Received is null ? 0 : 2 * OptionLength(sizeof(ulong));
        var body = AppendBlock(
            PcapngBlock.InterfaceStatistics,
            PcapngBlock.StatisticsOptions + 2 * OptionLength(sizeof(ulong))
            + counters + PcapngBlock.OptionHeaderLength);
        BinaryPrimitives.WriteUInt32LittleEndian(body, (uint)number);
        WriteTime(body[PcapngBlock.StatisticsTimeHigh..], end);

        Span<byte> value = stackalloc byte[sizeof(ulong)];
        WriteTime(value, start);
        var options = WriteOption(body[PcapngBlock.StatisticsOptions..], PcapngBlock.StatisticsStartTime, value);
        WriteTime(value, end);
        options = WriteOption(options, PcapngBlock.StatisticsEndTime, value);
        if (source.Received is not { } received) return;
        BinaryPrimitives.WriteUInt64LittleEndian(value, received);
        options = WriteOption(options, PcapngBlock.StatisticsReceived, value);
        BinaryPrimitives.WriteUInt64LittleEndian(value, source.Dropped);
        WriteOption(options, PcapngBlock.StatisticsDropped, value);
    }

    /// <summary>
    /// A block with type and both lengths written, and a body of zeros,
    /// which is also how padding and the end of options look.
    /// </summary>
    /// <param name="type">The block's type.</param>
    /// <param name="bodyLength">A multiple of 4.</param>
    /// <returns>The body.</returns>
    private Span<byte> AppendBlock(uint type, int bodyLength)
    {
        var length = PcapngBlock.MinLength + bodyLength;
        var block = Append(length);
        block.Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(block, type);
        BinaryPrimitives.WriteUInt32LittleEndian(block[sizeof(uint)..], (uint)length);
        BinaryPrimitives.WriteUInt32LittleEndian(block[^PcapngBlock.TrailerLength..], (uint)length);
        return block[PcapngBlock.HeaderLength..^PcapngBlock.TrailerLength];
    }

    private static int OptionLength(int value) => PcapngBlock.OptionHeaderLength + PcapngBlock.Padded(value);

    /// <summary>Writes an option, and returns where the next one goes.</summary>
    private static Span<byte> WriteOption(Span<byte> destination, ushort code, ReadOnlySpan<byte> value)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(destination, code);
        BinaryPrimitives.WriteUInt16LittleEndian(destination[sizeof(ushort)..], (ushort)value.Length);
        value.CopyTo(destination[PcapngBlock.OptionHeaderLength..]);
        return destination[OptionLength(value.Length)..];
    }

    // Two 32-bit words, the high one first, whatever the byte order.
    private static void WriteTime(Span<byte> destination, ulong time)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(destination, (uint)(time >> 32));
        BinaryPrimitives.WriteUInt32LittleEndian(destination[sizeof(uint)..], (uint)time);
    }
}
