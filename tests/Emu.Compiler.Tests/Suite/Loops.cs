namespace Suite;

/// <summary>Loops of every form, with bounds that are constants or numbers of the frame.</summary>
public static class Loops
{
    private static readonly (byte Least, byte Most, byte Then, byte Else, short Result)[] s_steps =
    [
        (10, 20, 2, 1, 0), (30, 30, 4, 2, 7), (15, 18, 6, 3, 9), (1, 1, 5, 4, -5), (0, 9, 6, 6, 0),
        (200, 200, 6, 6, 11), (100, 255, 7, 8, 0), (128, 130, 9, 8, 300), (150, 160, 9, 9, -1),
    ];

    /// <summary>Walks a table that says, for each comparison, where to go on.</summary>
    public static int Interpreter(byte a, byte b)
    {
        var sum = 0;
        for (var at = 0; at < s_steps.Length;)
        {
            var (least, most, then, @else, result) = s_steps[at];
            var holds = at % 2 == 0 ? a >= least && a <= most : b >= least && b <= most;
            if (holds && result != 0) return sum + result;
            sum = unchecked(sum * 3 + (holds ? at : b));
            at = holds ? then : @else;
        }
        return sum;
    }

    /// <summary>The first of several ranges of numbers.</summary>
    public static int FirstMatch(byte a)
    {
        if (a >= 3 && a <= 3) return 5;
        if (a is >= 40 and <= 63) return 9;
        if (a < 7 || a > 250) return 1;
        if (a is 8 or 9) return -4;
        if (a >= 64 && a < 72) return 2;
        if (a > 199 && a != 201) return 3;
        if (a is > 16 and < 20) return 8;
        if (a >= 100 && a <= 100) return 6;
        if (a % 4 == 1) return 12;
        return 13;
    }

    /// <summary>Looks for as many set bits as asked for: the turns end by two counts.</summary>
    public static int Position(byte a, byte count)
    {
        var (found, at) = (0, 0);
        while (at < 8 && found < count % 4)
        {
            if ((a >> at & 1) != 0) found++;
            at++;
        }
        return at * 10 + found;
    }

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
