namespace Suite;

/// <summary>Tuples, deconstruction and nullable values.</summary>
public static class TuplesAndNullables
{
    public static int Tuple(int a, int b)
    {
        var t = (Sum: unchecked(a + b), Difference: unchecked(a - b));
        t.Sum ^= 1;
        return unchecked(t.Sum * t.Difference);
    }

    public static bool TupleEquality(int a, int b, int c) => (a, b) == (b, c) | (a, (b, c)) != (c, (b, a));

    public static int Returned(int a, int b)
    {
        var (least, most) = Order(a, b);
        return unchecked(most - least);
    }

    public static int InTurn(int a, int b, int c)
    {
        (a, b, c) = (c, a, b);
        return unchecked(a + 2 * b + 3 * c);
    }

    public static bool TupleEquals(int a, byte b) => (a, b).Equals((5, b));

    public static int TupleCompareTo(int a, byte b, ushort c, long d) =>
        (a & 1, b, (DayOfWeek)(c & 7), d).CompareTo((c & 1, (byte)(c & 3), DayOfWeek.Tuesday, a));

    public static int Nullable(int a)
    {
        int? n = a > 0 ? a : null;
        return n ?? -1;
    }

    public static bool NullableCompare(int a, int b)
    {
        int? x = a > 0 ? a : null;
        int? y = b > 0 ? b : null;
        return x < y | x == y;
    }

    public static int NullableSum(int a, int b)
    {
        int? x = a > 0 ? a : null;
        int? y = (b & 1) == 0 ? b : null;
        var sum = unchecked(x + y);
        return sum is { } known ? known : x.GetValueOrDefault(7);
    }

    public static int NullablePattern(byte a)
    {
        var found = Find(a);
        if (found is null) return -1;
        return found.HasValue && found is var (key, value) ? key * 3 + value : 0;
    }

    private static (int Key, int Value)? Find(byte a) => (a & 3) switch { 0 => null, 1 => (a, 2), _ => (5, a) };

    private static (int Least, int Most) Order(int a, int b) => a < b ? (a, b) : (b, a);
}
