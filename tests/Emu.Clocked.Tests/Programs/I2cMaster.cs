using KiwiSystem;

// I2C master that takes commands as a struct from a little queue.
struct Command { public byte Address; public byte Data; public bool IsRead; }

class I2cMaster
{
    [Kiwi.InputBitPort("go")] static bool go;
    [Kiwi.InputWordPort("addr")] static byte addr;
    [Kiwi.InputWordPort("wdata")] static byte wdata;
    [Kiwi.InputBitPort("rd")] static bool rd;
    [Kiwi.InputBitPort("sda_i")] static bool sda_i;
    [Kiwi.OutputBitPort("sda_o")] static bool sda_o = true;
    [Kiwi.OutputBitPort("scl_o")] static bool scl_o = true;
    [Kiwi.OutputWordPort("rdata")] static byte rdata;
    [Kiwi.OutputBitPort("busy")] static bool busy;
    [Kiwi.OutputBitPort("error")] static bool error;
    [Kiwi.OutputWordPort("queued")] static int queued;

    static readonly Command[] queue = new Command[4];
    static readonly byte[] masks = { 0x80, 0x40, 0x20, 0x10, 8, 4, 2, 1 };
    static int head, tail;

    static bool Clock(bool sda)
    {
        sda_o = sda;
        Kiwi.Pause();
        scl_o = true;
        Kiwi.Pause();
        var sampled = sda_i;
        Kiwi.Pause();
        scl_o = false;
        Kiwi.Pause();
        return sampled;
    }

    static bool Send(byte value)
    {
        for (var mask = 0x80; mask != 0; mask >>= 1) Clock((value & mask) != 0);
        return !Clock(true);
    }

    static byte Receive()
    {
        byte value = 0;
        foreach (var mask in masks)
            if (Clock(true)) value |= mask;
        Clock(true);
        return value;
    }

    static void Transfer()
    {
        busy = true;
        Command c = queue[tail & 3];
        tail++;
        sda_o = false;
        Kiwi.Pause();
        scl_o = false;
        Kiwi.Pause();
        error = !Send((byte)(c.Address << 1 | (c.IsRead ? 1 : 0)));
        if (!error)
        {
            if (c.IsRead) rdata = Receive();
            else error = !Send(c.Data);
        }
        sda_o = false;
        Kiwi.Pause();
        scl_o = true;
        Kiwi.Pause();
        sda_o = true;
        busy = false;
    }

    static void Accept()
    {
        while (true)
        {
            Kiwi.Pause();
            if (go && head - tail < 4)
            {
                queue[head & 3] = new Command { Address = addr, Data = wdata, IsRead = rd };
                head++;
            }
            queued = head - tail;
        }
    }

    [Kiwi.HardwareEntryPoint]
    public static void Main()
    {
        var t = new System.Threading.Thread(Accept);
        t.Start();
        for (;;)
        {
            Kiwi.Pause();
            while (head != tail) Transfer();
        }
    }
}
