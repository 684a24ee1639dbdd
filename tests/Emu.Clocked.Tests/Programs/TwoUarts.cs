// uart with struct state, byref parameters, bit fields, wrap-around counters, compound assignments of narrow types
public static class TwoUarts
{
    struct Uart { public ushort Shift; public byte Count; public byte Divider; public bool Busy; }
    [Kiwi.InputBitPort("rxd")] static bool rxd;
    [Kiwi.InputWordPort("w")] static byte w;
    [Kiwi.OutputBitPort("txd")] static bool txd = true;
    [Kiwi.OutputWordPort("got")] static byte got;
    [Kiwi.OutputWordPort("errors")] static sbyte errors = 120;
    static Uart[] ports = new Uart[2];
    static bool Tick(ref Uart u) { u.Divider += 85; return u.Divider < 85; }
    static void Send(ref Uart u, byte b) { u.Shift = (ushort)(b << 1 | 0x200); u.Count = 10; u.Busy = true; }
    [Kiwi.HardwareEntryPoint]
    public static void Main()
    {
        byte sum = 0;
        while (true)
        {
            Kiwi.Pause();
            for (int p = 0; p < 2; p++)
            {
                ref Uart u = ref ports[p];
                if (!Tick(ref u)) continue;
                if (p == 0)
                {
                    if (!u.Busy) { Send(ref u, (byte)(w + sum)); sum += 7; }
                    txd = (u.Shift & 1) != 0;
                    u.Shift >>= 1;
                    if (--u.Count == 0) u.Busy = false;
                }
                else
                {
                    if (!u.Busy) { u.Busy = !rxd; u.Count = 9; continue; }
                    u.Shift = (ushort)(u.Shift >> 1 | (rxd ? 0x100 : 0));
                    if (--u.Count == 0) { u.Busy = false; if (!rxd) errors++; got = (byte)u.Shift; }
                }
            }
            Uart copy = ports[0];
            copy.Count++;
            if (copy.Count == ports[0].Count) errors = 0;
        }
    }
}
