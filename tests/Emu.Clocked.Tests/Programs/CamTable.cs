using System; using KiwiSystem;
public class CamSwitch
{
    [Kiwi.InputBitPort("cam_busy")] static bool cam_busy;
    [Kiwi.InputBitPort("cam_match")] static bool cam_match;
    [Kiwi.InputBitPort("cam_match_addr")] static byte cam_match_addr;
    [Kiwi.OutputWordPort("cam_cmp_din")] static ulong cam_cmp_din;
    [Kiwi.OutputWordPort("cam_din")] static ulong cam_din;
    [Kiwi.OutputBitPort("cam_we")] static bool cam_we;
    [Kiwi.OutputBitPort("cam_wr_addr")] static byte cam_wr_addr;
    [Kiwi.InputWordPort("key")] static ulong key;
    [Kiwi.InputBitPort("request")] static bool request;
    [Kiwi.OutputWordPort("answer")] static uint answer;
    [Kiwi.OutputBitPort("done")] static bool done;
    [Kiwi.OutputWordPort("timeouts")] static uint timeouts;
    static uint[] lut = new uint[16];
    static byte free;

    static int lookup(ulong k)
    {
        cam_cmp_din = k;
        Kiwi.Pause(); Kiwi.Pause();
        int tries = 0;
        while (cam_busy)
        {
            if (++tries > 12) { timeouts++; return -2; }
            Kiwi.Pause();
        }
        return cam_match ? cam_match_addr & 15 : -1;
    }

    static void insert(ulong k, uint v)
    {
        while (cam_busy) Kiwi.Pause();
        cam_din = k; cam_wr_addr = free; cam_we = true;
        lut[free] = v;
        Kiwi.Pause();
        cam_we = false;
        free = (byte)((free + 1) & 15);
    }

    [Kiwi.HardwareEntryPoint()]
    static int EntryPoint()
    {
        uint serial = 0;
        while (true)
        {
            done = false;
            Kiwi.Pause();
            if (!request) continue;
            ulong k = key & 0x0000ffffffffffff;
            int at = lookup(k);
            if (at >= 0) answer = lut[at];
            else if (at == -1) { insert(k, serial); answer = 0xffffffff; serial++; }
            else { answer = 0; Console.WriteLine("timeout {0} for {1:X12}", timeouts, k); }
            done = true;
            Kiwi.Pause();
        }
    }
}
