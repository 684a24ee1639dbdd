using System;
using System.Threading;
using KiwiSystem;

// A systolic row of four multiply-accumulate cells: each cell is a thread over its own object.
class Cell
{
    public short In, Out;
    public int Sum, Weight;
    public bool IsValid, OutValid;
    public Cell Next;

    public void Run()
    {
        while (true)
        {
            Kiwi.Pause();
            OutValid = IsValid;
            if (!IsValid) continue;
            Sum += In * Weight;
            Out = In;
        }
    }
}

class Systolic
{
    [Kiwi.InputWordPort("x")] static short x;
    [Kiwi.InputBitPort("valid")] static bool valid;
    [Kiwi.InputWordPort("select")] static byte select;
    [Kiwi.OutputWordPort("sum")] static int sum;
    [Kiwi.OutputWordPort("last")] static short last;
    static Cell c0, c1, c2, c3;

    [Kiwi.HardwareEntryPoint]
    public static void Main()
    {
        c0 = new Cell { Weight = 3 };
        c1 = new Cell { Weight = -7 };
        c2 = new Cell { Weight = 1000 };
        c3 = new Cell { Weight = 31 };
        new Thread(new ThreadStart(c0.Run)).Start();
        new Thread(new ThreadStart(c1.Run)).Start();
        new Thread(new ThreadStart(c2.Run)).Start();
        new Thread(new ThreadStart(c3.Run)).Start();
        while (true)
        {
            Kiwi.Pause();
            c0.In = x; c0.IsValid = valid;
            c1.In = c0.Out; c1.IsValid = c0.OutValid;
            c2.In = c1.Out; c2.IsValid = c1.OutValid;
            c3.In = c2.Out; c3.IsValid = c2.OutValid;
            last = c3.Out;
            switch (select & 3)
            {
                case 0: sum = c0.Sum; break;
                case 1: sum = c1.Sum; break;
                case 2: sum = c2.Sum; break;
                case 3: sum = c3.Sum; break;
            }
        }
    }
}
