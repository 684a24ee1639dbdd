// virtual calls, base classes, a lambda, three threads with a lock
public abstract class Shape
{
    protected int size;
    protected Shape(int s) { size = s; }
    public abstract int Area(int k);
    public virtual int Twice(int k) => Area(k) * 2;
}
public sealed class Square : Shape
{
    public Square(int s) : base(s) { }
    public override int Area(int k) => size * k * k;
}
public class Rect : Shape
{
    readonly int h;
    public Rect(int s, int h) : base(s) { this.h = h; }
    public override int Area(int k) => size * h + k;
    public override int Twice(int k) => base.Twice(k) - h;
}
public static class Shapes
{
    [Kiwi.InputWordPort("k")] static short k;
    [Kiwi.InputBitPort("pick")] static bool pick;
    [Kiwi.OutputWordPort("area")] static int area;
    [Kiwi.OutputWordPort("total")] static long total;
    [Kiwi.OutputWordPort("count")] static int count;
    static readonly object gate = new object();
    static Shape one = new Square(3), two = new Rect(5, 7);
    static int shared;
    static void Adder()
    {
        while (true)
        {
            Kiwi.Pause();
            if (pick) { lock (gate) { shared += two.Area(k); Kiwi.Pause(); shared ^= 0x55; } }
        }
    }
    static void Watcher()
    {
        int seen = 0;
        do { Kiwi.Pause(); if (shared != seen) { seen = shared; count++; } } while (count < 100);
        lock (gate) { shared = 0; }
    }
    [Kiwi.HardwareEntryPoint]
    public static void Main()
    {
        Func<int, int> scale = z => z * 3 + 1;
        new Thread(Adder).Start();
        new Thread(Watcher).Start();
        while (true)
        {
            Kiwi.Pause();
            area = scale(pick ? one.Twice(k) : two.Twice(k));
            lock (gate) { total += shared; shared--; }
        }
    }
}
