using System;
using KiwiSystem;

// A 93C46-like serial memory itself: commands of 10 bits shifted in, 16 bits out; 64 words.
class SerialEeprom
{
    [Kiwi.InputBitPort("cs")] static bool cs;
    [Kiwi.InputBitPort("sk")] static bool sk;
    [Kiwi.InputBitPort("di")] static bool di;
    [Kiwi.OutputBitPort("do")] static bool dO;
    [Kiwi.OutputBitPort("ready")] static bool ready = true;

    static ushort[] words = new ushort[64];
    static bool writable;
    static bool last;

    static bool Rising()
    {
        while (true)
        {
            Kiwi.Pause();
            bool now = sk;
            bool rose = now && !last;
            last = now;
            if (!cs) return false;
            if (rose) return true;
        }
    }

    static bool Shift(int bits, out uint value)
    {
        value = 0;
        for (int i = 0; i < bits; i++)
        {
            if (!Rising()) return false;
            value = value << 1 | (di ? 1u : 0u);
        }
        return true;
    }

    static void Erase()
    {
        ready = false;
        for (int i = 0; i < words.Length; i++) { words[i] = 0xFFFF; Kiwi.Pause(); }
        ready = true;
    }

    static void Command()
    {
        do if (!Rising()) return; while (!di);
        if (!Shift(2, out uint op) || !Shift(6, out uint address)) return;
        switch (op)
        {
            case 2:
                ushort word = words[address];
                for (int i = 15; i >= 0; i--)
                {
                    dO = (word >> i & 1) != 0;
                    if (!Rising()) return;
                }
                break;
            case 1:
                if (Shift(16, out uint data) && writable) words[address] = (ushort)data;
                break;
            case 3:
                if (writable) words[address] = 0xFFFF;
                break;
            default:
                switch (address >> 4)
                {
                    case 0: writable = false; break;
                    case 3: writable = true; break;
                    case 2: if (writable) Erase(); break;
                }
                break;
        }
    }

    [Kiwi.HardwareEntryPoint]
    public static void Main()
    {
        for (int i = 0; i < 64; i++) words[i] = (ushort)(i * 257);
        while (true)
        {
            Kiwi.Pause();
            Command();
        }
    }
}
