using System; using System.Threading; using System.Diagnostics; using KiwiSystem;
struct Word { public uint data; public bool last; }
class Fifo
{
    private readonly uint[] words = new uint[64];
    private volatile uint head, tail;
    public bool is_full { get { return head - tail == 64; } }
    public bool is_empty { get { return head == tail; } }
    public void put(uint w) { while (is_full) Kiwi.Pause(); words[head % 64] = w; head++; Kiwi.Pause(); }
    public uint get() { while (is_empty) Kiwi.Pause(); uint w = words[tail % 64]; tail++; Kiwi.Pause(); return w; }
}
class Top
{
    [Kiwi.InputWordPort("w")] static uint w;
    [Kiwi.InputBitPort("push")] static bool push;
    [Kiwi.InputBitPort("slow")] static bool slow;
    [Kiwi.OutputWordPort("total")] static ulong total;
    [Kiwi.OutputWordPort("packets")] static uint packets;
    static Fifo fifo = new Fifo();
    static Kiwi.Channel<Word> results = new Kiwi.Channel<Word>();
    static void worker()
    {
        uint acc = 0; int n = 0;
        while (true)
        {
            acc = acc * 31 + fifo.get();
            if (++n == 5) { Word r; r.data = acc; r.last = (acc & 1) == 1; results.Write(r); n = 0; acc = 7; }
        }
    }
    static void sink()
    {
        for (; ; )
        {
            Word r = results.Read();
            total += r.data;
            if (r.last) packets++;
            Debug.Assert(packets < 5, "many packets");
            while (slow) Kiwi.Pause();
            Kiwi.Pause();
        }
    }
    [Kiwi.HardwareEntryPoint()]
    public static void Main()
    {
        new Thread(worker).Start();
        Thread t = new Thread(sink); t.IsBackground = true; t.Start();
        while (true) { Kiwi.Pause(); if (push) fifo.put(w); }
    }
}
