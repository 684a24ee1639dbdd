// arrays of structs, nested classes, operators, properties, tuples
public static class Vectors
{
    struct Vec { public short X; public short Y; public readonly int Dot(in Vec o) => X * o.X + Y * o.Y;
        public static Vec operator +(Vec a, Vec b) => new Vec { X = (short)(a.X + b.X), Y = (short)(a.Y + b.Y) }; }
    class Filter
    {
        private readonly Vec[] taps = new Vec[4];
        private int at;
        public int Last { get; private set; }
        public class Stats
        {
            public uint Count;
            public int Max = int.MinValue;
            public void See(int v) { Count++; if (v > Max) Max = v; }
        }
        public readonly Stats Seen = new Stats();
        public (int sum, bool grew) Push(Vec v)
        {
            taps[at] = v; at = (at + 1) & 3;
            Vec total = default;
            foreach (var t in taps) total += t;
            int d = total.Dot(v);
            bool grew = d > Last; Last = d; Seen.See(d);
            return (d, grew);
        }
    }
    [Kiwi.InputWordPort("x")] static short x;
    [Kiwi.InputWordPort("y")] static sbyte y;
    [Kiwi.OutputWordPort("sum")] static int sum;
    [Kiwi.OutputBitPort("grew")] static bool grew;
    [Kiwi.OutputWordPort("max")] static int max;
    static Filter f = new Filter(), g = new Filter();
    [Kiwi.HardwareEntryPoint]
    public static void Main()
    {
        while (true)
        {
            Kiwi.Pause();
            (sum, grew) = f.Push(new Vec { X = x, Y = y });
            Kiwi.Pause();
            var (s, q) = g.Push(new Vec { X = (short)-y, Y = (short)(x >> 3) });
            if (q) sum ^= s;
            max = g.Seen.Max - f.Seen.Max + (int)(f.Seen.Count * 3);
        }
    }
}
