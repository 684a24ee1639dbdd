using System; using KiwiSystem;
public class Kernels
{
    [Kiwi.OutputWordPort("result")] static int result;
    [Kiwi.OutputWordPort("phase")] static byte phase;
    [Kiwi.InputWordPort("seed")] static int seed;
    const int LIMIT = 200, N = 4;
    static bool[] sieve = new bool[LIMIT];
    static int[,] a = new int[N, N], b = new int[N, N], c = new int[N, N];
    static int[] fibs = { 1, 1, 0, 0, 0, 0, 0, 0, 0, 0 };

    static int primes()
    {
        int count = 0;
        for (int i = 2; i < LIMIT; i++) { sieve[i] = true; Kiwi.Pause(); }
        for (int i = 2; i < LIMIT; i++)
        {
            Kiwi.Pause();
            if (!sieve[i]) continue;
            count++;
            for (int j = i + i; j < LIMIT; j += i) { Kiwi.Pause(); sieve[j] = false; }
        }
        return count;
    }
    static int fib()
    {
        for (int i = 2; i < fibs.Length; i++)
        {
            int x = fibs[i - 1];
            Kiwi.Pause();
            fibs[i] = x + fibs[i - 2];
            Kiwi.Pause();
        }
        return fibs[9];
    }
    static void fill(int s)
    {
        for (int i = 0; i < a.GetLength(0); i++)
            for (int j = 0; j < a.GetLength(1); j++)
            {
                a[i, j] = s + i * N + j;
                b[i, j] = (i == j) ? 2 : s & 3;
                Kiwi.Pause();
            }
    }
    static int multiply()
    {
        int trace = 0;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
            {
                int sum = 0;
                for (int k = 0; k < N; k++) { sum += a[i, k] * b[k, j]; Kiwi.Pause(); }
                c[i, j] = sum;
                if (i == j) trace += sum;
            }
        return trace;
    }
    [Kiwi.HardwareEntryPoint()]
    public static void Main()
    {
        Kiwi.Pause();
        Kiwi.KppMark(1, "START", "PRIMES");
        result = primes(); phase = 1; Console.WriteLine("primes {0}", result); Kiwi.Pause();
        Kiwi.KppMark(2, "FIB");
        result = fib(); phase = 2; Console.WriteLine("fib {0}", result); Kiwi.Pause();
        while (true)
        {
            fill(seed); result = multiply(); phase++;
            Console.WriteLine("trace {0} {1}", result, Kiwi.tnow);
            Kiwi.Pause();
        }
    }
}
