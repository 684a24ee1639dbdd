using System; using KiwiSystem;
public class Crc32
{
    [Kiwi.InputWordPort("data")] static ulong data;
    [Kiwi.InputBitPort("valid")] static bool valid;
    [Kiwi.InputBitPort("last")] static bool last;
    [Kiwi.OutputBitPort("ready")] static bool ready;
    [Kiwi.OutputWordPort("crc")] static uint crc;
    [Kiwi.OutputWordPort("signed_crc")] static int signed_crc;
    [Kiwi.OutputBitPort("done")] static bool done;
    static uint[] table = new uint[256];

    [Kiwi.FastBitConvert()] static int to_signed(uint x) { return BitConverter.ToInt32(BitConverter.GetBytes(x), 0); }
    [Kiwi.FastBitConvert()] static ulong to_ulong(long x) { return BitConverter.ToUInt64(BitConverter.GetBytes(x), 0); }

    static void make_table()
    {
        for (uint i = 0; i < 256; i++)
        {
            uint r = i;
            for (int j = 0; j < 8; j++) r = (r & 1) != 0 ? (r >> 1) ^ 0xEDB88320u : r >> 1;
            table[i] = r;
        }
    }

    [Kiwi.HardwareEntryPoint()]
    public static void Main()
    {
        make_table();
        uint r = ~0u;
        ready = true;
        while (true)
        {
            Kiwi.Pause();
            done = false;
            if (!valid || !ready) continue;
            ulong d = to_ulong((long)data);
            bool l = last;
            ready = false;
            for (int i = 0; i < 8; i++)
            {
                r = table[(byte)(r ^ d)] ^ (r >> 8);
                d >>= 8;
                Kiwi.Pause();
            }
            ready = true;
            if (l) { crc = ~r; signed_crc = to_signed(~r); done = true; r = ~0u; }
        }
    }
}
