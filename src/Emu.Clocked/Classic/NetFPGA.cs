using KiwiSystem;

namespace Emu.Clocked.Classic;

/// <summary>
/// The classic calls on a frame. Those on metadata are done in the cycle that makes them; those on the bytes of a frame
/// take a cycle for each byte, since a memory has one port.
/// </summary>
public static class NetFPGA
{
    private const int BitsPerByte = 8, BytesPerWord = 8, BitsPerPort = 2;
    private const ulong Ports = 0x55, PortMask = 0xFF;

    /// <summary>Copies the bytes of a frame, one in each cycle, up to the end of the frame or of the array.</summary>
    public static void Get_Frame(NetFPGA_Data src, ref byte[] dst)
    {
        ArgumentNullException.ThrowIfNull(src);
        ArgumentNullException.ThrowIfNull(dst);
        var length = FrameSize(src);
        for (var i = 0; i < length && i < dst.Length; i++)
        {
            var word = Elements.Load(src.tdata, i / BytesPerWord);
            Elements.Store(dst, i, (byte)(word >> BitsPerByte * (i % BytesPerWord)));
            Kiwi.Pause();
        }
    }

    /// <summary>
    /// Puts the bytes of an array into a frame, one in each cycle, and ends the frame behind them: with tlast, tkeep
    /// and its length.
    /// </summary>
    public static void Set_Frame(byte[] src, ref NetFPGA_Data dst)
    {
        ArgumentNullException.ThrowIfNull(src);
        ArgumentNullException.ThrowIfNull(dst);
        ulong word = 0;
        for (var i = 0; i < src.Length && i < NetFPGA_Data.BUF_SIZE * BytesPerWord; i++)
        {
            var place = i % BytesPerWord;
            word = (place == 0 ? 0 : word) | (ulong)Elements.Load(src, i) << BitsPerByte * place;
            Elements.Store(dst.tdata, i / BytesPerWord, word);
            Elements.Store(dst.tkeep, i / BytesPerWord, one_hot_encode((byte)(place + 1)));
            Elements.Store(dst.tlast, i / BytesPerWord, i == src.Length - 1);
            Kiwi.Pause();
        }
        var low = Elements.Load(dst.tuser_low, 0) & ~0xFFFFUL;
        Elements.Store(dst.tuser_low, 0, low | (ushort)src.Length);
    }

    /// <summary>As many bits that are 1 as bytes are kept.</summary>
    public static byte one_hot_encode(byte width) => (byte)((1 << width) - 1);

    /// <summary>The number of the port that a frame came in by, from 0 on.</summary>
    public static uint Read_Input_Port(NetFPGA_Data dataplane)
    {
        ArgumentNullException.ThrowIfNull(dataplane);
        var source = Elements.Load(dataplane.tuser_low, 0) >> NetFPGA_Data.tuser_low_source_port;
        uint number = 0;
        for (uint port = 0; port < NetFPGA_Data.NET_PORTS; port++)
            if ((source >> (int)(BitsPerPort * port) & 1) != 0) number = port;
        return number;
    }

    /// <summary>Sets the number of the port that a frame came in by.</summary>
    public static void Set_Input_Port(ref NetFPGA_Data dataplane, ulong value)
    {
        ArgumentNullException.ThrowIfNull(dataplane);
        var low = Elements.Load(dataplane.tuser_low, 0) & ~(PortMask << NetFPGA_Data.tuser_low_source_port);
        Elements.Store(
            dataplane.tuser_low, 0, low | 1UL << (int)(BitsPerPort * value) + NetFPGA_Data.tuser_low_source_port);
    }

    /// <summary>Adds ports by which a frame leaves: bit 2 × n for port n.</summary>
    public static void Set_Output_Port(ref NetFPGA_Data dataplane, ulong value)
    {
        ArgumentNullException.ThrowIfNull(dataplane);
        var low = Elements.Load(dataplane.tuser_low, 0);
        Elements.Store(
            dataplane.tuser_low, 0, low | (value & PortMask) << NetFPGA_Data.tuser_low_destination_port);
    }

    /// <summary>The ports by which a frame leaves: bit 2 × n for port n.</summary>
    public static byte Get_Output_Ports(NetFPGA_Data dataplane)
    {
        ArgumentNullException.ThrowIfNull(dataplane);
        return (byte)(Elements.Load(dataplane.tuser_low, 0) >> NetFPGA_Data.tuser_low_destination_port);
    }

    /// <summary>Lets a frame leave by all network ports but the one that it came in by.</summary>
    public static void Broadcast(ref NetFPGA_Data dataplane)
    {
        ArgumentNullException.ThrowIfNull(dataplane);
        var source = Elements.Load(dataplane.tuser_low, 0) >> NetFPGA_Data.tuser_low_source_port & PortMask;
        Set_Output_Port(ref dataplane, Ports & ~source);
    }

    private static int FrameSize(NetFPGA_Data frame) =>
        (int)(Elements.Load(frame.tuser_low, 0) >> NetFPGA_Data.tuser_low_frame_size & 0xFFFF);
}
