using Emu.Compiler.Clocked;
using Emu.Simulation;

namespace Emu.Clocked.Tests;

/// <summary>A write by address is seen by another thread behind the edge, as one by name.</summary>
public sealed class AddressTests
{
    private const string Types = """
        struct Pair
        {
            public uint Low; public ushort High;
            public Pair(uint low) { Low = low; High = (ushort)(low >> 3); }
            public void Add(uint number) { Low += number; High++; }
            public readonly uint Sum() => Low + High;
        }
        """;

    /// <summary>Variables that two threads share, and the statements of each.</summary>
    public static TheoryData<string, string, string> Threads => new()
    {
        { "static uint total;", "Add(ref total, word);", "seen = total;" },
        { "static uint total;", "ref uint place = ref total; place ^= word; Kiwi.Pause(); place++;", "seen = total;" },
        { "static uint[] counts = new uint[4];", "counts[word & 3]++;", "seen = counts[1] + counts[2];" },
        {
            "static int[] counts = new int[4];", "counts[word & 1] += (int)word; counts[0] = counts[1];",
            "seen = (uint)counts[0]; counts[2 + (word & 1)]--;"
        },
        {
            "static ushort[] table = new ushort[8];",
            "ref ushort place = ref table[word & 7]; Kiwi.Pause(); place = (ushort)(place + word); table[0] = place;",
            "seen = (uint)(table[0] << 16 | table[5]);"
        },
        { "static bool[] flags = new bool[2];", "flags[0] ^= word > 7;", "seen = flags[0] ? 1u : 0;" },
        { "static Pair pair;", "pair.Low += word;", "seen = pair.Low; pair.High = (ushort)word;" },
        { "static Pair pair;", "pair.Add(word);", "seen = pair.Sum(); Kiwi.Pause(); seen = (uint)pair.High;" },
        { "static Pair pair, copy;", "pair = new Pair(word); copy = pair;", "seen = copy.Sum() ^ pair.Low;" },
        { "static Pair pair;", "if (word > 9) pair = default; else pair.High = 5;", "seen = pair.Sum();" },
        { "static Pair[] pairs = new Pair[3];", "pairs[1].Low ^= word; pairs[2] = pairs[1];", "seen = pairs[2].Low;" },
        {
            "static Pair[] pairs = new Pair[2];", "pairs[word & 1].Low = word;",
            "seen = pairs[0].Sum(); pairs[1].High += (ushort)seen;"
        },
        { "static Holder holder = new Holder();", "holder.Pair.Add(word);", "seen = holder.Pair.Sum();" },
        { "static Box<uint> box = new Box<uint>();", "box.Put(word);", "seen = box.Last + box[1] + Box<uint>.Puts;" },
        { "static Box<int> box = new Box<int>();", "box.Put((int)word);", "seen = (uint)(box.Items[2] + box.Last);" },
        {
            "static Box<Pair> box = new Box<Pair>();", "box.Put(new Pair(word));",
            "box.Spare.Low++; seen = box.Last.Sum() ^ box.Spare.Low; Box<uint>.Count(ref Box<uint>.Puts);"
        },
        { "static uint total;", "Interlocked.Add(ref total, word);", "seen = total;" },
        { "static int total;", "if (Interlocked.Decrement(ref total) < -3) total = 9;", "seen = (uint)total;" },
        {
            "static long[] totals = new long[2];", "Interlocked.Increment(ref totals[word & 1]);",
            "seen = (uint)totals[1];"
        },
        {
            "static ulong total;", "seen += (uint)Interlocked.CompareExchange(ref total, word, total & ~1ul);",
            "if (Interlocked.Read(ref total) == 0) Interlocked.MemoryBarrier();"
        },
        { "static bool flag;", "Volatile.Write(ref flag, !Volatile.Read(ref flag));", "if (flag) seen++;" },
        { "static (uint Low, ushort High) pair;", "pair.Low = word; pair.High++;", "seen = pair.Low + pair.High;" },
    };

    [Theory]
    [MemberData(nameof(Threads))]
    public void It_is_seen_behind_the_edge(string shared, string one, string other) => Trace.Check(
        Source.Program($$"""
            [Kiwi.InputWordPort("word")] static uint word;
            [Kiwi.OutputWordPort("seen")] static uint seen;
            {{Types}}
            class Holder { public Pair Pair; }
            class Box<T>
            {
                public static uint Puts;
                public T Last, Spare;
                public readonly T[] Items = new T[4];
                public T this[int at] => Items[at & 3];
                public void Put(T item) { Items[Puts & 3] = item; Last = item; Puts++; }
                public static void Count(ref uint place) => place += 2;
            }
            {{shared}}

            static void Add(ref uint place, uint number) => place += number;

            static void One() { while (true) { Kiwi.Pause(); {{one}} } }

            [Kiwi.HardwareEntryPoint]
            public static void Main()
            {
                new Thread(One).Start();
                while (true) { Kiwi.Pause(); {{other}} }
            }
            """), 100, isOutside: false);

    [Theory]
    [InlineData("counts[1]++;", "counts[1 - (word & 0)] = 3;", "element 1 of an array")]
    [InlineData("Add(ref total);", "total = 5;", "Example.total")]
    [InlineData("pair.Item1 = 4;", "pair = (3, 4);", "Example.pair")]
    public void Two_writers_by_address_are_an_error(string one, string other, string variable)
    {
        var program = Source.Program($$"""
            [Kiwi.InputWordPort("word")] static uint word;
            static uint[] counts = new uint[2];
            static uint total;
            static (uint, uint) pair;

            static void Add(ref uint place) => place++;

            static void One() { while (true) { Kiwi.Pause(); Kiwi.Pause(); {{one}} } }

            [Kiwi.HardwareEntryPoint]
            public static void Main()
            {
                new Thread(One).Start();
                while (true) { Kiwi.Pause(); {{other}} }
            }
            """);
        var refused = Assert.Throws<ClockedException>(() => Trace.OfDotNet(program, 10, (_, _) => 1));
        Assert.StartsWith($"EMU0035: two threads write {variable} in cycle 1;", refused.Message);
        var texts = Trace.TextsOf(new ManagedSimulator(ClockedCompiler.Compile(program.Again()).Design), 4);
        Assert.Contains(texts, text => text.StartsWith("EMU0035: two threads write ", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("Array.Clear(shared);", "Example.One uses Array.Clear on an array")]
    [InlineData("shared.AsSpan(2).Clear();", "Example.One uses MemoryExtensions.AsSpan on an array")]
    public void What_would_be_seen_before_the_edge_is_refused(string statement, string reason)
    {
        var program = Source.Program($$"""
            static uint[] shared = new uint[4];

            static void One() { while (true) { Kiwi.Pause(); {{statement}} } }

            [Kiwi.HardwareEntryPoint]
            public static void Main() { new Thread(One).Start(); while (true) Kiwi.Pause(); }
            """);
        var refused = Assert.Throws<ClockedException>(() => new ClockedRun(program));
        Assert.StartsWith($"EMU0030: {reason}, ", refused.Message);
    }
}
