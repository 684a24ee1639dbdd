// SPI master by methods with switch expressions, goto, checked, ulong shifts, enum state
public static class SpiExchange
{
    enum Mode : byte { Idle, Load, Shift, Store = 7 }
    [Kiwi.InputBitPort("miso")] static bool miso;
    [Kiwi.InputWordPort("tx")] static ulong tx;
    [Kiwi.InputWordPort("bits")] static byte bits;
    [Kiwi.OutputBitPort("mosi")] static bool mosi;
    [Kiwi.OutputBitPort("sclk")] static bool sclk;
    [Kiwi.OutputWordPort("rx")] static ulong rx;
    [Kiwi.OutputWordPort("mode")] static byte mode;
    static Mode m = Mode.Idle;
    static ulong Exchange(ulong word, int count)
    {
        ulong got = 0;
        while (count-- > 0)
        {
            mosi = (word >> count & 1) == 1;
            Kiwi.Pause();
            sclk = true;
            got = got << 1 | (miso ? 1UL : 0);
            Kiwi.Pause();
            sclk = false;
        }
        return got;
    }
    static int Weight(Mode q) => q switch
    {
        Mode.Idle => -1, Mode.Load or Mode.Shift => 5, Mode.Store => int.MaxValue, _ => 0,
    };
    [Kiwi.HardwareEntryPoint]
    public static void Main()
    {
        int w = 0;
        again:
        Kiwi.Pause();
        switch (m)
        {
            case Mode.Idle: m = bits > 200 ? Mode.Store : Mode.Load; break;
            case Mode.Load: w = bits % 65; m = Mode.Shift; goto default;
            case Mode.Shift: rx = Exchange(tx, w) * (ulong)(w | 1); m = Mode.Store; break;
            default: if (m == Mode.Store) m = Mode.Idle; break;
        }
        mode = (byte)((byte)m + (Weight(m) >> 29));
        goto again;
    }
}
