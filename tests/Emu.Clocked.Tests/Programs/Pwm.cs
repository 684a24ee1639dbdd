using KiwiSystem;

// Three channels of PWM with dead time, set through a shadow register.
class Pwm
{
    struct Setting { public ushort Duty; public bool IsInverted; }

    [Kiwi.InputWordPort("duty")] static ushort duty;
    [Kiwi.InputWordPort("channel")] static byte channel;
    [Kiwi.InputBitPort("load")] static bool load;
    [Kiwi.InputBitPort("invert")] static bool invert;
    [Kiwi.OutputWordPort("high")] static byte high;
    [Kiwi.OutputWordPort("low")] static byte low;
    [Kiwi.OutputBitPort("sync")] static bool sync;
    [Kiwi.RtlParameter("PERIOD", 50)] static ushort period = 50;
    const int DeadTime = 3;
    static readonly Setting[] shadow = new Setting[3], active = new Setting[3];
    static readonly byte[] dead = new byte[3];

    static bool Compare(in Setting s, ushort count) => count < s.Duty ^ s.IsInverted;

    [Kiwi.HardwareEntryPoint]
    public static void Main()
    {
        ushort count = 0;
        bool up = true;
        while (true)
        {
            Kiwi.Pause();
            if (load && channel < 3)
            {
                shadow[channel].Duty = (ushort)(duty % 64);
                shadow[channel].IsInverted = invert;
            }
            sync = false;
            if (up) { if (++count >= period) up = false; }
            else if (--count == 0)
            {
                up = true;
                sync = true;
                for (int i = 0; i < 3; i++) active[i] = shadow[i];
            }
            for (int i = 0; i < 3; i++)
            {
                bool on = Compare(active[i], count);
                bool was = (high >> i & 1) != 0;
                if (on != was && dead[i] == 0) dead[i] = DeadTime;
                if (dead[i] != 0)
                {
                    dead[i]--;
                    high &= (byte)~(1 << i);
                    low &= (byte)~(1 << i);
                    if (dead[i] == 0) { if (on) high |= (byte)(1 << i); else low |= (byte)(1 << i); }
                }
            }
        }
    }
}
