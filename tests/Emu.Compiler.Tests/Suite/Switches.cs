namespace Suite;

/// <summary>Switches: tables of jumps, sparse ones, patterns.</summary>
public static class Switches
{
    public enum Colour : byte { Red, Green, Blue, Other = 200 }

    public static int Dense(int a)
    {
        switch (a)
        {
            case 0: return 5;
            case 1: return 7;
            case 2:
            case 3: return 11;
            case 4: return 13;
            case 5: goto case 1;
            case 6: goto default;
            case -1: return -17;
            default: return 19;
        }
    }

    public static int Sparse(uint a) => a switch { 3 => 1, 1000 => 2, 70_000 => 3, uint.MaxValue => 4, _ => 5 };

    public static int Long(long a) => a switch { 0 => 1, 1 => 2, 2 => 3, 3 => 4, -1 => 6, long.MaxValue => 7, _ => 8 };

    public static int Relational(int a) =>
        a switch { < -100 => 1, < 0 => 2, 0 => 3, > 0 and < 10 => 4, 10 or 20 or 30 => 5, _ => 6 };

    public static int Tuples(byte a, bool b) =>
        (a, b) switch { (0, true) => 1, (0, false) => 2, (> 128, _) => 3, (_, true) => 4, _ => 5 };

    public static int When(int a, int b) =>
        a switch { var x when x == b => 1, var x when x > b && b > 0 => x - b, _ => 0 };

    public static Colour Enums(Colour a) =>
        a switch { Colour.Red =>
            Colour.Green, Colour.Green => Colour.Blue, Colour.Blue => Colour.Red, _ => Colour.Other };

    public static int Chars(char a) => a switch { 'a' => 1, >= '0' and <= '9' => a - '0', 'x' or 'X' => 16, _ => -1 };

    public static int FallsOut(byte a)
    {
        var r = 1;
        switch (a & 7)
        {
            case 1: r = 10; break;
            case 2: r = 20; goto case 4;
            case 4: r += 5; break;
            case 6: break;
        }
        return r;
    }

    public static bool Is(int a) => a is > 5 and not 7 or -3;
}
