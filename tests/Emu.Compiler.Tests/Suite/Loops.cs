namespace Suite;

/// <summary>Loops of every form, with bounds that are constants or numbers of the frame.</summary>
public static class Loops
{
    public static int For(byte n)
    {
        var sum = 0;
        for (var i = 0; i < n; i++) sum += i * i;
        return sum;
    }

    public static int Down(byte n)
    {
        var sum = 1;
        for (var i = (int)n; i > 0; i -= 3) sum = unchecked(sum * 31 + i);
        return sum;
    }

    public static uint While(uint a)
    {
        var steps = 0u;
        while (a != 0)
        {
            a >>= 1;
            steps++;
        }
        return steps;
    }

    public static int DoWhile(int a)
    {
        var n = 0;
        do
        {
            n++;
            a /= 10;
        }
        while (a != 0);
        return n;
    }

    public static int BreakAndContinue(byte a, byte b)
    {
        var sum = 0;
        for (var i = 0; i < 50; i++)
        {
            if (i % 3 == a % 3) continue;
            if (sum > b) break;
            sum += i;
        }
        return sum;
    }

    public static int Nested(byte a, byte b)
    {
        var count = 0;
        for (var i = 0; i < (a & 15); i++)
        {
            for (var j = i; j < (b & 15); j++)
            {
                if ((i ^ j) == 5) goto done;
                if (j > 2 * i + 3) break;
                count += i + j;
            }
            count ^= i;
        }
    done:
        return count;
    }

    public static ulong Fibonacci(byte n)
    {
        var (a, b) = (0UL, 1UL);
        for (var i = 0; i < n; i++) (a, b) = (b, unchecked(a + b));
        return a;
    }

    public static uint Gcd(uint a, uint b)
    {
        while (b != 0) (a, b) = (b, a % b);
        return a;
    }

    public static int ReturnFromInside(int a)
    {
        for (var i = 0; i < 32; i++)
        {
            if ((a >> i & 1) != 0) return i;
        }
        return -1;
    }

    public static int Endless(byte a)
    {
        var i = 0;
        while (true)
        {
            i += 3;
            if (i > a) return i;
        }
    }

    /// <summary>A jump into a loop: control flow that no loop statement has.</summary>
    public static int Irreducible(byte a)
    {
        var n = (int)a;
        if (n > 100) goto middle;
    top:
        n += 7;
    middle:
        n += 11;
        if (n < 300) goto top;
        return n;
    }
}
