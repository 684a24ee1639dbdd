using System.Globalization;
using System.Text;

namespace Emu.Clocked.Tests;

/// <summary>
/// The code before the first pause is run, whatever it does: what it makes in loops, computes and chooses is there at
/// reset, and the same on every rung.
/// </summary>
public sealed class ElaborationTests
{
    private const string Ports = """
        [Kiwi.InputWordPort("word")] static uint word;
        [Kiwi.OutputWordPort("seen")] static uint seen;
        class Node
        {
            public uint Number; public Node Next; public uint[] Words; static int made;
            public Node(uint number, int words) { Number = number + (uint)made++; Words = new uint[words]; }
        }
        class Ring
        {
            readonly Node[] nodes; int at, size;
            public Ring(int size) { this.size = size / 2; nodes = new Node[this.size];
                for (int i = 0; i < this.size; i++) nodes[i] = new Node((uint)i * 5, i + 1); }
            public Node Take() { var node = nodes[at]; at = at + 1 == size ? 0 : at + 1; return node; }
        }
        abstract class Rule { public abstract uint Of(uint number); }
        class Adds : Rule { readonly uint much; public Adds(uint much) { this.much = much; }
            public override uint Of(uint number) => number + much; }
        class Turns : Rule { int by; public Turns(int by) { this.by = by; }
            public override uint Of(uint number) => number << by | number >> (32 - by); }
        static uint[] table = new uint[16];
        static int count = 3;
        """;

    /// <summary>Statements of a program before its first pause, and of each cycle.</summary>
    public static TheoryData<string, string> Programs => new()
    {
        {
            "var all = new Node[4]; for (int i = 0; i < all.Length; i++) all[i] = new Node((uint)i, 4);",
            "all[word & 3].Number += word; seen = all[1].Number + all[word & 3].Words[2]; all[2].Words[word & 3]++;"
        },
        {
            "Node list = null; for (int i = 0; i < 5; i++) { var n = new Node(7, 2); n.Next = list; list = n; }",
            "seen = 0; for (var n = list; n != null; n = n.Next) { seen += n.Number; n.Number ^= word; Kiwi.Pause(); }"
        },
        {
            "int size = count * 2; var rows = new uint[count][]; "
            + "for (int i = 0; i < count; i++) rows[i] = new uint[size];",
            "rows[word % 3][word & 3] += word; seen = rows[1][2] + (uint)rows[2].Length;"
        },
        { "var ring = new Ring(8);", "var n = ring.Take(); n.Number += word; seen = n.Number + (uint)n.Words.Length;" },
        {
            "var rules = new Rule[5]; "
            + "for (int i = 0; i < 5; i++) rules[i] = (i & 1) == 0 ? new Adds((uint)i) : new Turns(i);",
            "seen = rules[word % 5].Of(word); foreach (var rule in rules) seen = rule.Of(seen);"
        },
        {
            "for (uint i = 0; i < 16; i++) { uint x = i; "
            + "for (int k = 0; k < 8; k++) x = (x >> 1) ^ ((x & 1) * 0xEDB88320); table[i] = x; }",
            "seen = table[word & 15] ^ seen >> 4;"
        },
        {
            "int n = 0; while (n * n < 200) n++; var made = new uint[n]; made[n - 1] = (uint)n; "
            + "Console.WriteLine(\"{0}\", n);",
            "seen = made[word % 15] + (uint)made.Length;"
        },
        {
            "var first = new Node(1, 1); var at = first; do { at.Next = new Node(at.Number * 2, 1); at = at.Next; } "
            + "while (at.Number < 60); at.Next = first;", "at = at.Next; at.Number += word; seen = at.Number;"
        },
        {
            "var all = new Node[3]; for (int i = 0; i < 3; i++) all[i] = new Node(1, 2); "
            + "if (word == 5) all[0] = all[1]; else all[2] = all[1];",
            "all[word % 3].Number++; seen = all[0].Number + (all[1].Number << 8) + (all[2].Number << 16);"
        },
        {
            "Func<uint, uint> f = null; for (int i = 0; i < 3; i++) { var was = f; uint k = (uint)i; "
            + "if (i == 1) f = Half; else if (f == null) f = Twice; }", "seen = f(word);"
        },
    };

    [Theory]
    [MemberData(nameof(Programs))]
    public void It_leaves_what_DotNet_leaves(string before, string cycle) => Trace.Check(
        Source.Program($$"""
            {{Ports}}
            static uint Half(uint number) => number >> 1;
            static uint Twice(uint number) => number * 2 + 1;
            [Kiwi.HardwareEntryPoint]
            static void Main() { {{before}} while (true) { Kiwi.Pause(); {{cycle}} } }
            """), 200, Words);

    [Fact]
    public void Threads_are_made_in_a_loop() => Trace.Check(
        Source.Program($$"""
            {{Ports}}
            class Worker
            {
                public uint Sum; readonly uint step; public Worker(uint step) { this.step = step; }
                public void Run() { while (true) { Kiwi.Pause(); Sum += word * step; } }
            }
            [Kiwi.HardwareEntryPoint]
            static void Main()
            {
                var workers = new Worker[3];
                for (uint i = 0; i < workers.Length; i++)
                {
                    workers[i] = new Worker(i + 1);
                    new Thread(workers[i].Run).Start();
                }
                while (true) { Kiwi.Pause(); seen = workers[0].Sum ^ workers[1].Sum ^ workers[2].Sum; }
            }
            """), 200, Words);

    [Fact]
    public void Random_programs_are_the_same_on_every_rung() =>
        Trace.CheckRandom(Tier.IsFast ? 8 : 80, 6, 60, Random, _ => Words);

    private static ulong Words(long cycle, ClockedPort port) => (ulong)(cycle * 7 ^ cycle >> 2) & 15;

    /// <summary>Loops, branches and calls before the first pause.</summary>
    private static string Random(int seed)
    {
        var random = new Random(seed);
        string Pick(params string[] of) => of[random.Next(of.Length)];
        var text = new StringBuilder();
        var variables = 0;
        string Number() =>
            Pick("x", "y", "(uint)count", "table[y & 15]", "all[x % 4].Number", "list.Number", "3", "word");
        string Statement(int depth)
        {
            var i = $"i{variables++}";
            return random.Next(depth > 2 ? 6 : 10) switch
            {
                0 => $"x = x * 5 + {Number()};",
                1 => $"y ^= {Number()} + {random.Next(50)};",
                2 => $"table[{Pick("x", "y")} & 15] = {Number()};",
                3 => $"all[{Pick("x", "y")} % 4] = new Node({Number()}, {random.Next(1, 5)});",
                4 => $"{{ var n = new Node({Number()}, 2); n.Next = list; list = n; }}",
                5 => $"count = Grow(count, {Number()});",
                6 => $"for (int {i} = 0; {i} < {random.Next(1, 5)}; {i}++) {{ {Statement(depth + 1)} {Statement(3)} }}",
                7 => $"if (({Number()} & 1) != 0) {{ {Statement(depth + 1)} }} else {{ {Statement(depth + 1)} }}",
                8 => $"for (uint {i} = y & 3; {i} < 5; {i}++) {{ x += {i}; {Statement(depth + 1)} }}",
                _ => $"list = all[{Number()} % 4]; all[0].Words[0] += {Number()};",
            };
        }
        void Add(FormattableString line) => text.AppendLine(line.ToString(CultureInfo.InvariantCulture));
        Add($"{Ports}");
        Add($"static Node[] all = new Node[4]; static Node list; static uint x = {random.Next(99)};");
        Add($"static int Grow(int size, uint by)");
        Add($"{{ while (size < 6 + (by & 3)) size += 2; return size > 9 ? 1 : size; }}");
        Add($"[Kiwi.HardwareEntryPoint] static void Main() {{ uint y = {random.Next(99)};");
        Add($"for (int i = 0; i < 4; i++) all[i] = new Node((uint)i, 4); list = all[{random.Next(4)}];");
        for (var i = random.Next(1, 6); i > 0; i--) Add($"{Statement(0)}");
        Add($"while (true) {{ {Pick("", "y++;", "x ^= y;")} Kiwi.Pause();");
        Add($"seen = x + list.Number * 3 + all[word & 3].Number + table[word] + (uint)count; x += word; y += 3; }} }}");
        return text.ToString();
    }
}
