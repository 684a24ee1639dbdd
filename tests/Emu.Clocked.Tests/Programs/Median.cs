using System; using KiwiSystem;
public class Sorter
{
    [Kiwi.InputWordPort("x")] static short x;
    [Kiwi.OutputWordPort("median")] static short median;
    [Kiwi.OutputBitPort("ok")] static bool ok;
    static short[] window = new short[9];
    static void swap(ref short p, ref short q) { short t = p; p = q; q = t; }
    static void min_max(short[] w, out short lo, out short hi)
    {
        lo = short.MaxValue; hi = short.MinValue;
        foreach (short v in w) { if (v < lo) lo = v; if (v > hi) hi = v; Kiwi.Pause(); }
    }
    enum State { Fill, Sort, Show };
    [Kiwi.HardwareEntryPoint()]
    public static void Main()
    {
        State state = State.Fill; int n = 0;
        while (true)
        {
            Kiwi.Pause();
            switch (state)
            {
                case State.Fill:
                    window[n] = x;
                    if (++n < window.Length) break;
                    n = 0; state = State.Sort;
                    goto case State.Sort;
                case State.Sort:
                    bool swapped;
                    do
                    {
                        swapped = false;
                        for (int i = 0; i + 1 < window.Length; i++)
                        {
                            if (window[i] > window[i + 1]) { swap(ref window[i], ref window[i + 1]); swapped = true; }
                            Kiwi.Pause();
                        }
                    } while (swapped);
                    state = State.Show;
                    break;
                case State.Show:
                    median = window[4];
                    short lo, hi;
                    min_max(window, out lo, out hi);
                    ok = lo == window[0] && hi == window[8];
                    Console.WriteLine($"{state}: median {median} of {lo}..{hi} {(ok ? "ok" : "wrong")}");
                    state = State.Fill;
                    break;
            }
        }
    }
}
