using Emu.Clocked.Classic;
using KiwiSystem;

namespace Emu.Samples.Clocked;

/// <summary>
/// A learning switch with the classic calls: it stores a frame of a stream of 64 bits, learns its source, looks its
/// destination up, and sends it on with the ports in the metadata of the first word.
/// </summary>
/// <example>./emu compile ClassicSwitch</example>
public static class ClassicSwitch
{
    private const int Entries = 16;
    private const ulong IsKnown = 1UL << 63, Address = 0xFFFF_FFFF_FFFF, Group = 1;

    [Kiwi.InputWordPort("s_axis_tdata")]
    private static ulong s_inData;

    [Kiwi.InputWordPort("s_axis_tkeep")]
    private static byte s_inKeep;

    [Kiwi.InputBitPort("s_axis_tlast")]
    private static bool s_inLast;

    [Kiwi.InputBitPort("s_axis_tvalid")]
    private static bool s_inValid;

    [Kiwi.InputWordPort("s_axis_tuser")]
    private static ulong s_inUser;

    [Kiwi.OutputBitPort("s_axis_tready")]
    private static bool s_inReady;

    [Kiwi.OutputWordPort("m_axis_tdata")]
    private static ulong s_outData;

    [Kiwi.OutputWordPort("m_axis_tkeep")]
    private static byte s_outKeep;

    [Kiwi.OutputBitPort("m_axis_tlast")]
    private static bool s_outLast;

    [Kiwi.OutputBitPort("m_axis_tvalid")]
    private static bool s_outValid;

    [Kiwi.OutputWordPort("m_axis_tuser")]
    private static ulong s_outUser;

    [Kiwi.InputBitPort("m_axis_tready")]
    private static bool s_outReady;

    private static readonly ulong[] s_stations = new ulong[Entries];
    private static readonly byte[] s_ports = new byte[Entries];

    private static NetFPGA_Data s_frame = new();
    private static int s_next;

    /// <summary>The circuit.</summary>
    [Kiwi.HardwareEntryPoint]
    public static void Main()
    {
        while (true)
        {
            var words = Receive();
            Switch();
            Send(words);
        }
    }

    /// <summary>Stores a frame, a word in each cycle in which one is there; gives the number of its words.</summary>
    private static int Receive()
    {
        var words = 0;
        s_inReady = true;
        while (true)
        {
            Kiwi.Pause();
            if (!s_inValid) continue;
            if (words == 0) s_frame.tuser_low[0] = s_inUser & 0xFFFFFF;
            if (words < NetFPGA_Data.BUF_SIZE)
            {
                s_frame.tdata[words] = s_inData;
                s_frame.tkeep[words] = s_inKeep;
                words++;
            }
            if (!s_inLast) continue;
            s_inReady = false;
            return words;
        }
    }

    private static void Switch()
    {
        Kiwi.Pause();
        var first = s_frame.tdata[0];
        Kiwi.Pause();
        var second = s_frame.tdata[1];
        var destination = first & Address;
        var source = first >> 48 | (second & 0xFFFF_FFFF) << 16;
        var (to, known) = (-1, -1);
        for (var i = 0; i < Entries; i++)
        {
            if (s_stations[i] == (IsKnown | destination)) to = i;
            if (s_stations[i] == (IsKnown | source)) known = i;
        }
        Kiwi.Pause();
        var ingress = NetFPGA.Read_Input_Port(s_frame);
        if (to < 0) NetFPGA.Broadcast(ref s_frame);
        else if (s_ports[to] != ingress) NetFPGA.Set_Output_Port(ref s_frame, 1UL << 2 * s_ports[to]);
        Kiwi.Pause();
        if ((source & Group) != 0) return;
        var place = known >= 0 ? known : s_next;
        s_stations[place] = IsKnown | source;
        s_ports[place] = (byte)ingress;
        if (known < 0) s_next = (s_next + 1) % Entries;
    }

    /// <summary>Sends the frame, a word in each cycle in which it is taken; one that goes nowhere is dropped.</summary>
    private static void Send(int words)
    {
        Kiwi.Pause();
        if (NetFPGA.Get_Output_Ports(s_frame) == 0) return;
        for (var i = 0; i < words; i++)
        {
            s_outData = s_frame.tdata[i];
            s_outKeep = s_frame.tkeep[i];
            s_outLast = i == words - 1;
            s_outUser = s_frame.tuser_low[0];
            s_outValid = true;
            do Kiwi.Pause();
            while (!s_outReady);
        }
        s_outValid = false;
        s_outLast = false;
    }
}
