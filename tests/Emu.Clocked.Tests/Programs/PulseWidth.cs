using System; using KiwiSystem;
public static class Pwm
{
    [Kiwi.InputWordPort("set_channel")] static byte set_channel;
    [Kiwi.InputWordPort("set_duty")] static byte set_duty;
    [Kiwi.InputBitPort("write")] static bool write;
    [Kiwi.OutputWordPort("pins")] static byte pins;
    [Kiwi.OutputBitPort("period")] static bool period;
    const int N = 8;
    static byte[] duty = new byte[N];
    static byte[] shadow = new byte[N];

    [Kiwi.HardwareEntryPoint()]
    public static void Main()
    {
        byte counter = 0;
        for (int i = 0; i < N; i++) { duty[i] = (byte)(i * 32); shadow[i] = duty[i]; }
        while (true)
        {
            Kiwi.Pause();
            if (write) shadow[set_channel % N] = set_duty;
            int p = 0;
            for (int i = 0; i < N; i++) if (duty[i] > counter) p |= 1 << i;
            pins = (byte)p;
            period = counter == 255;
            if (++counter == 0) for (int i = 0; i < N; i++) duty[i] = shadow[i];
        }
    }
}
