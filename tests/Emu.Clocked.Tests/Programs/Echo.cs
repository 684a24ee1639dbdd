using System; using KiwiSystem;
class Echo
{
    [Kiwi.InputWordPort("s_axis_tdata")] static ulong s_axis_tdata;
    [Kiwi.InputBitPort("s_axis_tkeep")] static byte s_axis_tkeep;
    [Kiwi.InputBitPort("s_axis_tlast")] static bool s_axis_tlast;
    [Kiwi.InputBitPort("s_axis_tvalid")] static bool s_axis_tvalid;
    [Kiwi.OutputBitPort("s_axis_tready")] static bool s_axis_tready = true;
    [Kiwi.InputWordPort("s_axis_tuser")] static ulong s_axis_tuser;
    [Kiwi.OutputWordPort("m_axis_tdata")] static ulong m_axis_tdata;
    [Kiwi.OutputBitPort("m_axis_tkeep")] static byte m_axis_tkeep;
    [Kiwi.OutputBitPort("m_axis_tlast")] static bool m_axis_tlast;
    [Kiwi.OutputBitPort("m_axis_tvalid")] static bool m_axis_tvalid;
    [Kiwi.InputBitPort("m_axis_tready")] static bool m_axis_tready;
    [Kiwi.OutputWordPort("m_axis_tuser")] static ulong m_axis_tuser;

    const uint BUF = 256;
    static ulong[] tdata = new ulong[BUF];
    static byte[] tkeep = new byte[BUF];
    static ulong[] tuser = new ulong[BUF];
    static ulong dst_mac, src_mac;
    static bool is_ipv4, is_icmp;
    static uint frames;

    static uint Receive()
    {
        uint n = 0; bool done = false;
        s_axis_tready = true;
        Kiwi.Pause();
        while (!done)
        {
            if (s_axis_tvalid && s_axis_tready)
            {
                tdata[n & 255] = s_axis_tdata; tkeep[n & 255] = s_axis_tkeep; tuser[n & 255] = s_axis_tuser;
                switch (n)
                {
                    case 0: dst_mac = s_axis_tdata & 0xffffffffffff; src_mac = s_axis_tdata >> 48; break;
                    case 1:
                        src_mac |= (s_axis_tdata & 0xffffffff) << 16;
                        is_ipv4 = (s_axis_tdata >> 32 & 0xffff) == 0x0008;
                        break;
                    case 2: is_icmp = s_axis_tdata >> 56 == 1; break;
                    default: break;
                }
                n++;
                done = s_axis_tlast;
                if (s_axis_tlast) s_axis_tready = false;
            }
            Kiwi.Pause();
        }
        return n;
    }

    static ulong add16(ulong x, ulong y) { ulong s = x + y; return (s & 0xffff) + (s >> 16); }

    static void Reply(uint n)
    {
        tdata[0] = src_mac | dst_mac << 48;
        Kiwi.Pause();
        ulong w = tdata[1];
        Kiwi.Pause();
        tdata[1] = (w & 0xffffffff00000000) | dst_mac >> 16;
        ulong sum = 0;
        for (uint i = 2; i < n; i++)
        {
            Kiwi.Pause();
            ulong d = tdata[i & 255];
            sum = add16(sum, add16(add16(d & 0xffff, d >> 16 & 0xffff), add16(d >> 32 & 0xffff, d >> 48)));
        }
        Kiwi.Pause();
        tuser[0] = tuser[0] << 8 | sum & 0xff;
    }

    static void Send(uint n)
    {
        uint i = 0;
        while (i < n)
        {
            if (m_axis_tready || !m_axis_tvalid)
            {
                m_axis_tdata = tdata[i & 255]; m_axis_tkeep = tkeep[i & 255]; m_axis_tuser = tuser[i & 255];
                m_axis_tlast = i == n - 1;
                m_axis_tvalid = true;
                i++;
            }
            Kiwi.Pause();
        }
        while (!m_axis_tready) Kiwi.Pause();
        m_axis_tvalid = false; m_axis_tlast = false;
    }

    [Kiwi.HardwareEntryPoint()]
    static int EntryPoint()
    {
        while (true)
        {
            uint n = Receive();
            if (is_ipv4 && is_icmp) { Reply(n); frames++; Console.WriteLine("echo {0} of {1} words", frames, n); }
            Send(n);
        }
    }
}
