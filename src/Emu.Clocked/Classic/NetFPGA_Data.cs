namespace Emu.Clocked.Classic;

/// <summary>
/// A frame with its metadata, in words of 64 bits as they come over AXI4-Stream: the classic name and fields, so that
/// programs written with them compile.
/// </summary>
public class NetFPGA_Data
{
#pragma warning disable IDE1006 // The names are those that programs use.
    /// <summary>The network ports.</summary>
    public const byte NET_PORTS = 4;

    /// <summary>The most words of a frame.</summary>
    public const int BUF_SIZE = 190;

    /// <summary>The place of the length, in bytes, in the metadata.</summary>
    public const byte tuser_low_frame_size = 0;

    /// <summary>The place of the port that the frame came in by: bit 2 × n for port n.</summary>
    public const byte tuser_low_source_port = 16;

    /// <summary>The place of the ports that it leaves by, as many bits.</summary>
    public const byte tuser_low_destination_port = 24;

    /// <summary>The words of the frame, the first byte in the lowest bits.</summary>
    public ulong[] tdata = new ulong[BUF_SIZE];

    /// <summary>A bit for each byte of a word that is of the frame.</summary>
    public byte[] tkeep = new byte[BUF_SIZE];

    /// <summary>True for the last word.</summary>
    public bool[] tlast = new bool[BUF_SIZE];

    /// <summary>Metadata that nobody uses.</summary>
    public ulong[] tuser_hi = new ulong[1];

    /// <summary>Length, source port and destination ports.</summary>
    public ulong[] tuser_low = new ulong[1];
}
