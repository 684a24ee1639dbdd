using System; using KiwiSystem;
class SpiFlash
{
    [Kiwi.OutputBitPort("sclk")] static bool sclk;
    [Kiwi.OutputBitPort("mosi")] static bool mosi;
    [Kiwi.OutputBitPort("cs_n")] static bool cs_n = true;
    [Kiwi.InputBitPort("miso")] static bool miso;
    [Kiwi.InputBitPort("start")] static bool start;
    [Kiwi.InputWordPort(23, 0, "address"), Kiwi.HwWidth(24)] static uint address;
    [Kiwi.InputWordPort("length")] static byte length;
    [Kiwi.OutputWordPort("data")] static byte data;
    [Kiwi.OutputBitPort("valid")] static bool valid;
    [Kiwi.OutputBitPort("busy")] static bool busy;
    [Kiwi.OutputWordPort("checksum")] static ushort checksum;

    const int HALF = 3;
    static byte[] page = new byte[256];

    static void half_period() { for (int i = 0; i < HALF; i++) { Kiwi.NoUnroll(); Kiwi.Pause(); } }

    static byte shift(byte o)
    {
        byte r = 0;
        for (int bit = 7; bit >= 0; bit--)
        {
            mosi = ((o >> bit) & 1) == 1;
            half_period();
            sclk = true;
            r = (byte)((r << 1) | (miso ? 1 : 0));
            half_period();
            sclk = false;
        }
        return r;
    }

    static void command(byte op, uint a)
    {
        cs_n = false;
        shift(op);
        shift((byte)(a >> 16)); shift((byte)(a >> 8)); shift((byte)a);
    }

    static ushort sum(int n)
    {
        ushort s = 0;
        for (int i = 0; i < n; i++) { s += page[i]; Kiwi.Pause(); }
        return s;
    }

    [Kiwi.HardwareEntryPoint()]
    static void Main()
    {
        while (true)
        {
            busy = false;
            while (!start) Kiwi.Pause();
            busy = true;
            int n = length;
            Kiwi.Pause();
            command(0x03, address);
            for (int i = 0; i < n; i++)
            {
                byte b = shift(0);
                page[i & 0xff] = b;
                data = b; valid = true;
                Kiwi.Pause();
                valid = false;
            }
            cs_n = true;
            checksum = sum(n);
            Kiwi.Pause();
        }
    }
}
