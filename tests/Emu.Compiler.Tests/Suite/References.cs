namespace Suite;

/// <summary>Ref locals, ref returns, and references that are chosen or moved.</summary>
public sealed class References : Service
{
    private readonly int[] _slots = new int[8];
    private readonly Pair[] _pairs = new Pair[4];
    private int _field;
    private Pair _pair;

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var a = frame.Bytes[29];
        ref var slot = ref _slots[a & 7];
        slot++;
        slot = ref _slots[a >> 5];
        slot += 2;
        ref var field = ref _field;
        field += slot;
        Largest(_slots)--;
        At(a & 3).First++;
        ref var chosen = ref a > 50 ? ref _slots[1] : ref _slots[2];
        chosen ^= a;
        ref var octet = ref frame.Bytes[a & 15];
        octet ^= 0x0F;
        for (var i = 0; i < 4; i++)
        {
            ref var pair = ref _pairs[i];
            if (pair.First > pair.Second) pair.Second += a;
            else Exchange(ref pair.First, ref pair.Second);
        }
        ref readonly var read = ref _pair;
        _pair.First += 5;
        if (read.First > 100) _pair = default;
        In(in _pair, out _pair.Second);
        var local = 5;
        ref var alias = ref local;
        alias += a;
        _field += local;
    }

    private static ref int Largest(int[] numbers)
    {
        ref var largest = ref numbers[0];
        for (var i = 1; i < numbers.Length; i++)
        {
            if (numbers[i] > largest) largest = ref numbers[i];
        }
        return ref largest;
    }

    private ref Pair At(int i) => ref _pairs[i];

    private static void Exchange(ref int a, ref int b) => (a, b) = (b, a);

    private static void In(in Pair pair, out int second) => second = pair.First * 2;

    private struct Pair
    {
        public int First;
        public int Second;
    }
}
