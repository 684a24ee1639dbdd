namespace Suite;

/// <summary>Lambdas and local functions that do not escape.</summary>
public static class Lambdas
{
    public static int LocalFunction(int a, int b)
    {
        return Twice(a) - Twice(b);

        static int Twice(int x) => unchecked(x * 2 + 1);
    }

    public static int CapturingLocalFunction(int a, int b)
    {
        var count = 0;
        Add(a);
        Add(b);
        return count;

        void Add(int x) => count = unchecked(count * 3 + x + a);
    }

    public static int Lambda(int a) => Apply(x => unchecked(x * x + 1), a);

    public static int CapturingLambda(int a, int b) => Apply(x => unchecked(x * b), a);

    public static int ChangingLambda(int a)
    {
        var sum = 0;
        Action<int> add = x => sum = unchecked(sum + x * a);
        add(3);
        add(a);
        return sum;
    }

    public static int MethodGroup(int a) => Apply(Negated, a);

    private static int Negated(int a) => unchecked(-a);

    private static int Apply(Func<int, int> f, int a) => unchecked(f(a) + f(7));
}
