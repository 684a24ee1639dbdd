namespace Emu.Hosting;

/// <summary>
/// Reads pcapng files (draft-ietf-opsawg-pcapng): any number of sections and interfaces;
/// blocks that are no packets are passed over.
/// </summary>
internal sealed class PcapngReader(CaptureInput input) : CaptureReader(input)
{
    /// <summary>
    /// The longest block that is read, in bytes: the longest packet and ample options.
    /// Others are passed over at any length.
    /// </summary>
    private const uint MaxBlockLength = 1 << 20;

    private readonly List<PcapngInterface> _interfaces = [];
    private long _block;
    private ulong _lastTime;
    private int _interfaceCount;

    internal override int InterfaceCount => _interfaceCount;

    private protected override bool TryReadPacket(out CapturedPacket packet)
    {
        packet = default;
        while (TryBeginBlock(out var type, out var length))
        {
            switch (type)
            {
                case PcapngBlock.SectionHeader:
                    BeginSection(TakeBody(length));
                    break;
                case PcapngBlock.InterfaceDescription:
                    AddInterface(TakeBody(length));
                    break;
                case PcapngBlock.EnhancedPacket:
                case PcapngBlock.ObsoletePacket:
                    packet = Packet(type, TakeBody(length));
                    return true;
                case PcapngBlock.SimplePacket:
                    packet = SimplePacket(TakeBody(length));
                    return true;
                case PcapngBlock.InterfaceStatistics:
                    Statistics(TakeBody(length));
                    break;
                default:
                    SkipBlock(length);
                    break;
            }
        }
        return false;
    }

    private bool TryBeginBlock(out uint type, out uint length)
    {
        (type, length, _block) = (0, 0, Input.Offset);
        var there = Input.Fill(PcapngBlock.MinLength);
        if (there == 0) return false;
        if (there < PcapngBlock.MinLength) throw CutOff(_block);

        var start = Input.Peek(PcapngBlock.MinLength);
        type = U32(start);
        if (type == PcapngBlock.SectionHeader) ReadByteOrder(start[PcapngBlock.HeaderLength..]);
        length = U32(start[sizeof(uint)..]);
        if (length < PcapngBlock.MinLength || length % 4 != 0)
            throw Broken(_block, $"a block of {length:N0} bytes cannot be");
        return true;
    }

    // Each section has its own byte order, and says so before its length can be read.
    private void ReadByteOrder(ReadOnlySpan<byte> magic)
    {
        IsBigEndian = false;
        if (U32(magic) == PcapngBlock.ByteOrderMagic) return;
        IsBigEndian = true;
        if (U32(magic) != PcapngBlock.ByteOrderMagic)
            throw Broken(_block, "a section header without its byte-order magic");
    }

    private ReadOnlySpan<byte> TakeBody(uint length)
    {
        if (length > MaxBlockLength)
            throw Broken(_block, $"a block of {length:N0} bytes is longer than any that holds a packet");
        if (Input.Fill((int)length) < length) throw CutOff(_block);
        var block = Input.Take((int)length);
        CheckTrailer(block[^PcapngBlock.TrailerLength..], length);
        return block[PcapngBlock.HeaderLength..^PcapngBlock.TrailerLength];
    }

    private void SkipBlock(uint length)
    {
        if (!Input.Skip(length - PcapngBlock.TrailerLength)
            || Input.Fill(PcapngBlock.TrailerLength) < PcapngBlock.TrailerLength)
            throw CutOff(_block);
        CheckTrailer(Input.Take(PcapngBlock.TrailerLength), length);
    }

    private void CheckTrailer(ReadOnlySpan<byte> trailer, uint length)
    {
        if (U32(trailer) != length)
            throw Broken(_block, $"a block says {length:N0} bytes at its start and {U32(trailer):N0} at its end");
    }

    private void BeginSection(ReadOnlySpan<byte> body)
    {
        if (body.Length < PcapngBlock.SectionOptions) throw Broken(_block, "a section header without its fields");
        var major = U16(body[PcapngBlock.SectionMajorVersion..]);
        if (major != 1) throw Broken(_block, $"version {major} of pcapng is not known, only 1");
        _interfaces.Clear();
    }

    private void AddInterface(ReadOnlySpan<byte> body)
    {
        if (body.Length < PcapngBlock.InterfaceOptions) throw Broken(_block, "an interface without its fields");
        var (units, offset) = (PcapngInterface.DefaultUnitsPerSecond, 0L);
        var options = body[PcapngBlock.InterfaceOptions..];
        while (TryOption(ref options, out var code, out var value))
        {
            if (code == PcapngBlock.TimestampResolution && value.Length == 1)
                units = PcapngInterface.Resolution(value[0]);
            if (code == PcapngBlock.TimestampOffset && value.Length == sizeof(long)) offset = (long)U64(value);
        }
        if (units == 0) throw Broken(_block, "an interface whose timestamps are finer than can be told in 64 bits");
        _interfaces.Add(new PcapngInterface(U16(body), U32(body[PcapngBlock.InterfaceSnapLength..]), units, offset));
        _interfaceCount = Math.Max(_interfaceCount, _interfaces.Count);
    }

    private CapturedPacket Packet(uint type, ReadOnlySpan<byte> body)
    {
        if (body.Length < PcapngBlock.PacketData) throw Broken(_block, "a packet without its fields");
        var number = type == PcapngBlock.EnhancedPacket ? U32(body) : U16(body);
        var source = Interface(number);
        var captured = U32(body[PcapngBlock.PacketCapturedLength..]);
        var original = U32(body[PcapngBlock.PacketOriginalLength..]);
        var data = body[PcapngBlock.PacketData..];
        if (captured > MaxPacketLength || captured > data.Length)
            throw Broken(_block, $"a packet of {captured:N0} bytes in a block of {body.Length:N0}");

        var flags = 0u;
        var options = data[Math.Min(PcapngBlock.Padded((int)captured), data.Length)..];
        while (TryOption(ref options, out var code, out var value))
        {
            if (code == PcapngBlock.PacketFlags && value.Length == sizeof(uint)) flags = U32(value);
        }

        _lastTime = source.Nanoseconds(
            Timestamp(body[PcapngBlock.PacketTimeHigh..], body[PcapngBlock.PacketTimeLow..]));
        var fcs = (int)(flags >> PcapngBlock.FlagsFcsShift & PcapngBlock.FlagsFcsMask);
        var onWire = Math.Max((int)Math.Min(Math.Max(original, captured), int.MaxValue) - fcs, 0);
        var direction = (flags & PcapngBlock.FlagsDirection) switch
        {
            1 => PacketDirection.Inbound,
            2 => PacketDirection.Outbound,
            _ => PacketDirection.Unknown,
        };
        return new CapturedPacket(data[..Math.Min((int)captured, onWire)], onWire, _lastTime, (int)number, direction);
    }

    // It belongs to the first interface and has no time: that of the packet before it.
    private CapturedPacket SimplePacket(ReadOnlySpan<byte> body)
    {
        if (body.Length < PcapngBlock.SimplePacketData) throw Broken(_block, "a packet without its fields");
        var source = Interface(0);
        var original = (int)Math.Min(U32(body), int.MaxValue);
        var data = body[PcapngBlock.SimplePacketData..];
        var captured = Math.Min(original, data.Length);
        if (source.SnapLength > 0) captured = (int)Math.Min((uint)captured, source.SnapLength);
        if (captured > MaxPacketLength)
            throw Broken(
                _block, $"a packet of {captured:N0} bytes is longer than any capture's ({MaxPacketLength:N0})");
        return new CapturedPacket(data[..captured], original, _lastTime, 0, PacketDirection.Unknown);
    }

    private void Statistics(ReadOnlySpan<byte> body)
    {
        if (body.Length < PcapngBlock.StatisticsOptions) throw Broken(_block, "statistics without their fields");
        var number = U32(body);
        var options = body[PcapngBlock.StatisticsOptions..];
        while (TryOption(ref options, out var code, out var value))
        {
            if (code != PcapngBlock.StatisticsEndTime || value.Length != sizeof(ulong) || number >= _interfaces.Count)
                continue;
            var end = _interfaces[(int)number].Nanoseconds(Timestamp(value, value[sizeof(uint)..]));
            EndTime = Math.Max(EndTime ?? 0, end);
        }
    }

    private PcapngInterface Interface(uint number)
    {
        if (number >= _interfaces.Count)
            throw Broken(_block, $"a packet of interface {number:N0}, where {_interfaces.Count:N0} are described");
        var found = _interfaces[(int)number];
        return found.LinkType == EthernetLinkType ? found : throw NotEthernet(found.LinkType);
    }

    private bool TryOption(ref ReadOnlySpan<byte> options, out ushort code, out ReadOnlySpan<byte> value)
    {
        code = PcapngBlock.EndOfOptions;
        value = default;
        if (options.Length < PcapngBlock.OptionHeaderLength) return false;
        code = U16(options);
        var length = U16(options[sizeof(ushort)..]);
        if (code == PcapngBlock.EndOfOptions) return false;

        options = options[PcapngBlock.OptionHeaderLength..];
        if (length > options.Length) throw Broken(_block, $"an option of {length:N0} bytes runs out of its block");
        value = options[..length];
        options = options[Math.Min(PcapngBlock.Padded(length), options.Length)..];
        return true;
    }

    // Times are two 32-bit words, the high one first, in either byte order;
    // other 64-bit values are in byte order as a whole.
    private ulong Timestamp(ReadOnlySpan<byte> high, ReadOnlySpan<byte> low) => (ulong)U32(high) << 32 | U32(low);

    private ulong U64(ReadOnlySpan<byte> bytes)
    {
        var (first, second) = (U32(bytes), U32(bytes[sizeof(uint)..]));
        return IsBigEndian ? (ulong)first << 32 | second : (ulong)second << 32 | first;
    }
}
