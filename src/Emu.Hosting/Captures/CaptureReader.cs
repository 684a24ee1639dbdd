using System.Buffers.Binary;

namespace Emu.Hosting;

/// <summary>
/// Reads a capture file of Ethernet frames packet by packet: pcap in either byte order with micro- or nanoseconds, or
/// pcapng. No packet allocates, and nothing is allocated because a file says that it is long.
/// </summary>
/// <remarks>
/// Formats: draft-ietf-opsawg-pcap and draft-ietf-opsawg-pcapng. A file that breaks off inside a packet gives all
/// packets before it, then the error.
/// </remarks>
public abstract class CaptureReader : IDisposable
{
    /// <summary>The longest packet that a capture may hold, in bytes: what libpcap accepts (MAXIMUM_SNAPLEN).</summary>
    public const int MaxPacketLength = 262_144;

    /// <summary>LINKTYPE_ETHERNET of the tcpdump.org registry.</summary>
    private protected const int EthernetLinkType = 1;

    private protected CaptureReader(CaptureInput input) => Input = input;

    /// <summary>The packets read so far.</summary>
    public long PacketCount { get; private set; }

    /// <summary>
    /// The end of the recording, in nanoseconds since 1970: the largest <c>isb_endtime</c> read so far;
    /// null when there was none.
    /// </summary>
    public ulong? EndTime { get; private protected set; }

    /// <summary>The interfaces that the capture has described so far, in the section that has most of them.</summary>
    internal abstract int InterfaceCount { get; }

    private protected CaptureInput Input { get; }

    private protected bool IsBigEndian { get; set; }

    /// <summary>Opens a capture file.</summary>
    /// <param name="path">The file; its content, not its name, says which format it has.</param>
    /// <exception cref="CommandException">There is no such file, it may not be read, or is no capture.</exception>
    public static CaptureReader Open(string path)
    {
        try
        {
            return Open(
                new FileStream(
                    path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0),
                path);
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            throw CommandException.Failure($"{path}: there is no such file");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw CommandException.Failure($"{path}: it cannot be opened: {e.Message}");
        }
    }

    /// <summary>Reads a capture from a stream, and closes it at the end.</summary>
    /// <param name="stream">The capture's bytes.</param>
    /// <param name="name">The name of the capture in error messages.</param>
    /// <exception cref="CommandException">It is no capture.</exception>
    public static CaptureReader Open(Stream stream, string name)
    {
        var input = new CaptureInput(stream, name);
        try
        {
            return Recognise(input);
        }
        catch
        {
            input.Dispose();
            throw;
        }
    }

    /// <summary>Reads the next packet.</summary>
    /// <param name="packet">The packet, until the next call.</param>
    /// <returns>False at the end of the file.</returns>
    /// <exception cref="CommandException">
    /// The file is broken here, or the packet is not from Ethernet; later calls are not useful.
    /// </exception>
    public bool TryRead(out CapturedPacket packet)
    {
        if (!TryReadPacket(out packet)) return false;
        PacketCount++;
        return true;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Input.Dispose();
        GC.SuppressFinalize(this);
    }

    private protected abstract bool TryReadPacket(out CapturedPacket packet);

    private protected uint U32(ReadOnlySpan<byte> bytes) =>
        IsBigEndian ? BinaryPrimitives.ReadUInt32BigEndian(bytes) : BinaryPrimitives.ReadUInt32LittleEndian(bytes);

    private protected ushort U16(ReadOnlySpan<byte> bytes) =>
        IsBigEndian ? BinaryPrimitives.ReadUInt16BigEndian(bytes) : BinaryPrimitives.ReadUInt16LittleEndian(bytes);

    /// <summary>The error for what stands at <paramref name="offset"/>.</summary>
    private protected CommandException Broken(long offset, string what) =>
        CommandException.Failure(
            $"{Input.Name}: broken at byte {offset:N0}, after {PacketCount:N0} packets: {what}; record it again, "
            + "or take another file");

    private protected CommandException CutOff(long offset) =>
        CommandException.Failure(
            $"{Input.Name}: the file ends inside the record at byte {offset:N0}, after {PacketCount:N0} packets; "
            + $"record it again, or keep the packets before it with 'editcap {Input.Name} whole.pcapng'");

    private protected CommandException NotEthernet(int linkType) =>
        CommandException.Failure(
            $"{Input.Name}: packet {PacketCount + 1:N0} has link type {linkType}, not Ethernet (1); "
            + "record it on an Ethernet interface, not on 'any'");

    private static CaptureReader Recognise(CaptureInput input)
    {
        var length = input.Fill(sizeof(uint));
        if (length == 0)
            throw CommandException.Failure($"{input.Name}: the file is empty; a capture has at least a header");
        if (length == sizeof(uint))
        {
            var magic = BinaryPrimitives.ReadUInt32BigEndian(input.Peek(sizeof(uint)));
            if (magic == PcapngBlock.SectionHeader) return new PcapngReader(input);
            if (PcapReader.Recognises(magic)) return new PcapReader(input);
        }
        throw CommandException.Failure(
            $"{input.Name}: this is neither pcap nor pcapng; tcpdump -w, dumpcap and Wireshark write such files");
    }
}
