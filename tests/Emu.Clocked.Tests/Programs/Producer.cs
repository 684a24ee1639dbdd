// channel producer and consumer, generic fifo, delegates, static constructor
public static class Producer
{
    class Ring
    {
        readonly ushort[] items; int head, tail;
        public Ring(int size) { items = new ushort[size]; }
        public bool Empty => head == tail;
        public bool Full => ((head + 1) % items.Length) == tail;
        public void Push(ushort t) { items[head] = t; head = (head + 1) % items.Length; }
        public ushort Pop() { var t = items[tail]; tail = (tail + 1) % items.Length; return t; }
    }
    static readonly byte[] table;
    static Producer() { table = new byte[16]; for (int i = 0; i < 16; i++) table[i] = (byte)(i * 37 ^ 0x5A); }
    [Kiwi.InputWordPort("i")] static byte i;
    [Kiwi.InputBitPort("go")] static bool go;
    [Kiwi.OutputWordPort("r")] static uint r;
    [Kiwi.OutputWordPort("n")] static ushort n;
    static Kiwi.Channel<uint> c = new Kiwi.Channel<uint>();
    static Ring ring = new Ring(4);
    static void Produce()
    {
        uint x = 1;
        while (true)
        {
            Kiwi.Pause();
            if (!go) continue;
            x = x * 1103515245 + 12345 + table[i & 15];
            c.Write(x);
        }
    }
    [Kiwi.HardwareEntryPoint]
    public static void Main()
    {
        new Thread(new ThreadStart(Produce)).Start();
        while (true)
        {
            Kiwi.Pause();
            if (ring.Full) { while (!ring.Empty) { n += ring.Pop(); Kiwi.Pause(); } }
            r = c.Read();
            ring.Push((ushort)(r >> 8));
        }
    }
}
