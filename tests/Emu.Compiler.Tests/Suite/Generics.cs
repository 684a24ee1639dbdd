namespace Suite;

/// <summary>Generics over structs: constraints, static abstract members, numbers as type arguments.</summary>
public static class Generics
{
    public static int Constrained(int a, int b) => Twice<Adder>(new Adder { By = b }, a);

    public static int ConstrainedOther(int a, int b) => Twice<Flipper>(new Flipper { Mask = b }, a);

    public static int StaticAbstract(int a) => unchecked(Name<Adder>() + Name<Flipper>() * a);

    public static bool EquatableInt(int a, int b) => Same(a, b);

    public static bool EquatableStruct(uint a, uint b) => Same(new IPv4Address(a), new IPv4Address(b));

    public static ulong NumberUlong(ulong a, ulong b) => Polynomial(a, b);

    public static int NumberInt(int a, int b) => Polynomial(a, b);

    public static short NumberShort(short a, short b) => Polynomial(a, b);

    public static bool Greatest(int a, int b) => Max(a, b) == a;

    public static int OfType(int a) => SizeOf<byte>() * 1000 + SizeOf<long>() * 10 + a % 10;

    public static int Container(int a, int b)
    {
        var both = new Both<int, byte>(a, (byte)b);
        return both.First + both.Swapped().First;
    }

    public static int DefaultInterfaceMember(int a) => Described(new Adder { By = a });

    private static int Described<T>(T operation)
        where T : struct, IOperation => operation.Described();

    private static int Twice<T>(T operation, int a)
        where T : struct, IOperation
    {
        a = operation.Apply(a);
        operation.Change();
        return operation.Apply(a);
    }

    private static int Name<T>()
        where T : IOperation => T.Id;

    private static bool Same<T>(T a, T b)
        where T : struct, IEquatable<T> => a.Equals(b);

    private static T Polynomial<T>(T x, T y)
        where T : IBinaryInteger<T> => unchecked(x * x + y - T.One ^ ~x & y);

    private static T Max<T>(T a, T b)
        where T : IComparable<T> => a.CompareTo(b) > 0 ? a : b;

    private static int SizeOf<T>()
        where T : unmanaged => typeof(T) == typeof(byte) ? 1 : typeof(T) == typeof(long) ? 8 : 0;

    private interface IOperation
    {
        static abstract int Id { get; }

        int Apply(int a);

        void Change();

        int Described() => Apply(3) + 1;
    }

    private struct Adder : IOperation
    {
        public int By;

        public static int Id => 3;

        public readonly int Apply(int a) => unchecked(a + By);

        public void Change() => By = unchecked(By * 2);
    }

    private struct Flipper : IOperation
    {
        public int Mask;

        public static int Id => 8;

        public readonly int Apply(int a) => a ^ Mask;

        public void Change() => Mask = ~Mask;
    }

    private readonly record struct Both<T, U>(T First, U Second)
    {
        public Both<U, T> Swapped() => new(Second, First);
    }
}
