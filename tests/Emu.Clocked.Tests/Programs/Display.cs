using System; using KiwiSystem;
public static class Lcd
{
    [Kiwi.OutputBitPort("lcd_rs")] static bool rs;
    [Kiwi.OutputBitPort("lcd_en")] static bool en;
    [Kiwi.OutputWordPort(3, 0, "lcd_data"), Kiwi.HwWidth(4)] static byte d;
    [Kiwi.InputWordPort("number")] static ushort number;
    static readonly byte[] init = { 0x33, 0x32, 0x28, 0x0c, 0x06, 0x01 };
    const string Title = "Temp: ";
    static char[] digits = new char[5];

    static void pause_n(uint n) { for (uint i = 0; i != n; i++) Kiwi.Pause(); }
    static void nibble(int v) { d = (byte)(v & 15); en = true; pause_n(2); en = false; pause_n(3); }
    static void send(byte v, bool isData) { rs = isData; nibble(v >> 4); nibble(v); pause_n(5); }
    static void print(string s) { for (int i = 0; i < s.Length; i++) send((byte)s[i], true); }
    static int divide(ushort n, out int rest)
    {
        int q = 0;
        while (n >= 10) { n -= 10; q++; Kiwi.Pause(); }
        rest = n;
        return q;
    }
    [Kiwi.HardwareEntryPoint()]
    public static void Main()
    {
        Kiwi.Pause();
        pause_n(20);
        foreach (byte b in init) send(b, false);
        while (true)
        {
            send(0x80, false);
            print(Title);
            int n = number & 0xff;
            for (int i = 2; i >= 0; i--)
            {
                int r;
                n = divide((ushort)n, out r);
                digits[i] = (char)('0' + r);
                Kiwi.Pause();
            }
            for (int i = 0; i < 3; i++) send((byte)digits[i], true);
        }
    }
}
