// bubble sort in a block RAM, a word a cycle, and matrix multiply with KppMark
public static class RamSort
{
    [Kiwi.InputWordPort("d")] static int d;
    [Kiwi.OutputWordPort("o")] static int o;
    [Kiwi.OutputBitPort("v")] static bool v;
    [Kiwi.OutputWordPort("trace")] static long trace;
    static int[] ram = new int[256];
    static int[,] a = new int[3, 3], b = new int[3, 3], c = new int[3, 3];
    [Kiwi.HardwareEntryPoint]
    public static void Main()
    {
        for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) b[i, j] = i * 3 - j;
        Kiwi.KppMark(1, "START", "FILL");
        while (true)
        {
            for (int i = 0; i < 12; i++) { Kiwi.Pause(); ram[i] = d; }
            Kiwi.KppMark(2, "SORT");
            for (int i = 0; i < 11; i++)
            {
                Kiwi.Pause();
                int left = ram[0];
                for (int j = 1; j < 12 - i; j++)
                {
                    Kiwi.Pause();
                    int right = ram[j];
                    Kiwi.Pause();
                    if (left > right) { ram[j - 1] = right; Kiwi.Pause(); ram[j] = left; }
                    else left = right;
                }
            }
            for (int i = 0; i < 12; i++) { Kiwi.Pause(); o = ram[i]; v = true; a[i % 3, (i / 3) % 3] = o >> 16; }
            Kiwi.Pause(); v = false;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                {
                    int s = 0;
                    for (int k = 0; k < 3; k++) { s += a[i, k] * b[k, j]; Kiwi.Pause(); }
                    c[i, j] = s;
                }
            Kiwi.Pause();
            trace = (long)c[0, 0] + c[1, 1] + c[2, 2];
        }
    }
}
