using System; using System.Threading; using KiwiSystem;
public class UartEcho
{
    [Kiwi.InputBitPort("rxd")] static bool rxd = true;
    [Kiwi.OutputBitPort("txd")] static bool txd = true;
    [Kiwi.OutputWordPort("received")] static uint received;
    [Kiwi.OutputWordPort("framing_errors")] static uint framing_errors;
    [Kiwi.RtlParameter("DIVISOR", 4)] static int divisor = 4;

    static Kiwi.Channel<byte> fifo = new Kiwi.Channel<byte>();

    static void wait_bits(int n) { for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) Kiwi.Pause(); }

    static void receiver()
    {
        while (true)
        {
            do Kiwi.Pause(); while (rxd);
            Kiwi.Pause(); Kiwi.Pause();
            byte b = 0;
            for (int i = 0; i < 8; i++)
            {
                wait_bits(1);
                b >>= 1;
                if (rxd) b |= 0x80;
            }
            wait_bits(1);
            if (!rxd) { framing_errors++; continue; }
            received++;
            fifo.Write(b);
        }
    }

    static void transmitter()
    {
        while (true)
        {
            byte b = fifo.Read();
            if (b >= 'a' && b <= 'z') b -= 32;
            txd = false; wait_bits(1);
            for (int i = 0; i < 8; i++) { txd = (b & (1 << i)) != 0; wait_bits(1); }
            txd = true; wait_bits(2);
        }
    }

    [Kiwi.HardwareEntryPoint()]
    public static void Main()
    {
        Thread t1 = new Thread(new ThreadStart(receiver));
        Thread t2 = new Thread(new ThreadStart(transmitter));
        t1.Start(); t2.Start();
        while (true) Kiwi.Pause();
    }
}
