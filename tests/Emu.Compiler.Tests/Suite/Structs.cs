namespace Suite;

/// <summary>Structs are values: copied when they are assigned, changed in place by reference.</summary>
public static class Structs
{
    public static int Copies(int a, int b)
    {
        var p = new Point { X = a, Y = b };
        var q = p;
        q.X++;
        return unchecked(p.X * 31 + q.X * 7 + q.Y);
    }

    public static int Nested(int a, int b)
    {
        var box = new Box(new Point { X = a }, default);
        box.Corner.Y = b;
        var other = box;
        other.Corner.X = 5;
        other.Size = box.Corner;
        return unchecked(other.Size.X - other.Corner.X + box.Size.Y * 3 + other.Size.Y);
    }

    public static int ByReference(int a, int b)
    {
        var p = new Point { X = a, Y = b };
        Swap(ref p.X, ref p.Y);
        Move(ref p);
        Fill(out var q, in p);
        return unchecked(p.X + 13 * q.Y + q.X * 5);
    }

    public static int Mutators(int a, byte n)
    {
        var p = new Point { X = a };
        for (var i = 0; i < (n & 7); i++) p.Step(i);
        return unchecked(p.X ^ p.Y);
    }

    public static int With(int a, int b)
    {
        var r = new Pair(a, b);
        var s = r with { Second = a };
        var (first, second) = s;
        return unchecked(first - second + r.Second);
    }

    public static bool RecordEquality(int a, int b) =>
        new Pair(a, b) == new Pair(b, a) | new Pair(a, 1).Equals(new Pair(a, b));

    public static int Chosen(bool a, int b)
    {
        var p = a ? new Point { X = b } : new Point { Y = b };
        if (p.X == b) p = default;
        return unchecked(p.X + 2 * p.Y);
    }

    public static int Operators(short a, short b) => (new Point { X = a, Y = 1 } + new Point { X = b, Y = 2 } * 3).Sum;

    public static int Defaults(int a)
    {
        Point p = default;
        if (a > 0) p = new Point { X = a };
        var r = p.Sum;
        p = new();
        return r + p.Sum;
    }

    public static ulong Readonly(ulong a, uint b) => new Wide(a, b).Mixed;

    public static int InLoop(byte n)
    {
        var sum = 0;
        for (var i = 0; i < (n & 15); i++)
        {
            var p = new Box(new Point { X = i, Y = sum }, new Point { X = 1 });
            if (i == 3) p.Corner = default;
            sum += p.Corner.Sum + p.Size.X;
        }
        return sum;
    }

    private static void Swap(ref int a, ref int b) => (a, b) = (b, a);

    private static void Move(ref Point p) => p = new Point { X = unchecked(p.X + 1), Y = p.Y };

    private static void Fill(out Point q, in Point p)
    {
        q = p;
        q.Y = unchecked(p.X * 2);
    }

    private struct Point
    {
        public int X;
        public int Y;

        public readonly int Sum => unchecked(X + Y);

        public static Point operator +(Point a, Point b) => new() { X = a.X + b.X, Y = a.Y + b.Y };

        public static Point operator *(Point a, int n) => new() { X = a.X * n, Y = a.Y * n };

        public void Step(int n)
        {
            X = unchecked(X + n);
            this.Y ^= X;
        }
    }

    private struct Box(Point corner, Point size)
    {
        public Point Corner = corner;
        public Point Size = size;
    }

    private readonly record struct Pair(int First, int Second);

    private readonly struct Wide
    {
        private readonly ulong _a;
        private readonly uint _b;

        public Wide(ulong a, uint b)
            : this(a) => _b = b;

        private Wide(ulong a) => (_a, _b) = (a, 1);

        public ulong Mixed => unchecked(_a * 3 + _b);
    }
}
