// Fibonacci, primes sieve, gcd, string-free printing; a soft region with a histogram
public static class Numbers
{
    [Kiwi.InputWordPort("n")] static byte n;
    [Kiwi.OutputWordPort("fib")] static ulong fib;
    [Kiwi.OutputWordPort("gcd")] static uint gcd;
    [Kiwi.OutputWordPort("top")] static int top;
    static bool[] sieve = new bool[512];
    static ushort[] histogram = new ushort[1024];
    [Kiwi.HardwareEntryPoint]
    public static void Main()
    {
        for (int i = 2; i * i < 512; i++) if (!sieve[i]) for (int j = i * i; j < 512; j += i) sieve[j] = true;
        while (true)
        {
            Kiwi.Pause();
            ulong a = 0, b = 1;
            for (int i = n & 63; i > 0; i--) { (a, b) = (b, a + b); Kiwi.Pause(); }
            fib = a;
            uint x = (uint)a | 1, y = (uint)(a >> 7) & 1023;
            while (y != 0)
            {
                while (x >= y) { x -= y; Kiwi.Pause(); if (x > 5000) x >>= 8; }
                (x, y) = (y, x);
                Kiwi.Pause();
            }
            gcd = x;
            Console.WriteLine("fib({0}) = {1:X}, prime {2}", n & 63, fib, !sieve[gcd & 511]);
            var mode = Kiwi.PauseControlSet(Kiwi.PauseControl.softPauseEnable);
            histogram[gcd & 1023]++;
            if (histogram[gcd & 1023] > histogram[top & 1023]) top = (int)(gcd & 1023);
            uint s = 0;
            for (uint i = gcd; i != 0; i >>= 2) s += histogram[i & 1023];
            histogram[s & 1023] += (ushort)s;
            Kiwi.PauseControlSet(mode);
        }
    }
}
