using System;
using KiwiSystem;

class GameOfLife
{
    const int Width = 8, Height = 8;

    static bool[,] now = new bool[Height, Width], next = new bool[Height, Width];

    [Kiwi.InputBitPort("glider")] static bool glider;
    [Kiwi.OutputWordPort("alive")] static int alive;
    [Kiwi.OutputWordPort("generation")] static int generation;

    static int Neighbours(int y, int x)
    {
        int n = 0;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                if ((dy != 0 || dx != 0) && now[(y + dy + Height) % Height, (x + dx + Width) % Width]) n++;
        return n;
    }

    [Kiwi.HardwareEntryPoint()]
    public static void Main()
    {
        while (true)
        {
            Kiwi.Pause();
            if (glider) now[1, 2] = now[2, 3] = now[3, 1] = now[3, 2] = now[3, 3] = true;
            for (int y = 0; y < Height; y++)
            {
                Kiwi.Pause();
                for (int x = 0; x < Width; x++)
                {
                    int n = Neighbours(y, x);
                    next[y, x] = n == 3 || now[y, x] && n == 2;
                }
            }
            Kiwi.Pause();
            int count = 0;
            foreach (bool cell in next)
                if (cell) count++;
            alive = count;
            Kiwi.Pause();
            for (int y = 0; y < Height; y++)
                for (int x = 0; x < Width; x++)
                    now[y, x] = next[y, x];
            generation++;
            Console.WriteLine("generation {0}: {1} alive", generation, alive);
        }
    }
}
