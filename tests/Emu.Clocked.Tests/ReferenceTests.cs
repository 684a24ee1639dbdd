using System.Globalization;
using System.Text;
using Emu.Compiler.Clocked;
using Emu.Compiler.Diagnostics;

namespace Emu.Clocked.Tests;

/// <summary>
/// Variables, fields, elements and delegates that refer to one of several objects, and to another one later, are the
/// same on every rung.
/// </summary>
public sealed class ReferenceTests
{
    private const string Ports = """
        [Kiwi.InputWordPort("word")] static uint word;
        [Kiwi.OutputWordPort("seen")] static uint seen;
        class Node { public uint Number; public Node Next; public readonly uint[] Words; public uint[] Other;
            public Node(uint number)
            { Number = number; Words = new uint[4]; Other = Words; Words[1] = number * 3; Next = this; } }
        struct Pair { public Node First; public uint Count; }
        delegate uint Change(uint number);
        static uint Total(uint sum, params uint[] others)
        {
            foreach (var other in others) sum += other;
            return sum;
        }
        static uint Half(uint number) => number >> 1;
        static uint Twice(uint number) => number * 2 + 1;
        abstract class Shape { public abstract uint Area(uint side); }
        class Square : Shape { public uint Scale = 3; public override uint Area(uint side) => side * side + Scale++; }
        class Line : Shape { public override uint Area(uint side) => side + 7; }
        """;

    /// <summary>Statements of a program before its first pause, and of each cycle.</summary>
    public static TheoryData<string, string> Programs => new()
    {
        {
            "Node a = new Node(3), b = new Node(5);",
            "var c = a; a = b; b = c; a.Number += word; seen = a.Number ^ (b.Number << 16);"
        },
        {
            "Node a = new Node(3), b = new Node(5);",
            "if ((word & 1) != 0) { var c = a; a = b; b = c; } a.Words[word & 3] += word; seen = b.Words[1];"
        },
        {
            "Node a = new Node(3), b = new Node(5), c = null;",
            "var d = a; a = b; b = c; c = d; if (a != null) { a.Number += word; seen = a.Number; } else seen = 1;"
        },
        {
            "Node a = new Node(3); a.Next = new Node(4); a.Next.Next = a; var at = a;",
            "at.Number ^= word; if (word > 3) at = at.Next; if (word == 9) a.Next = at; seen = at.Number;"
        },
        {
            "var all = new Node[3]; all[0] = new Node(1); all[1] = new Node(2); all[2] = new Node(3);",
            "var c = all[0]; all[0] = all[word % 3]; all[word % 3] = c; all[1].Number += word; seen = all[0].Number;"
        },
        {
            "var rows = new uint[3][]; rows[0] = new uint[4]; rows[1] = new uint[4]; rows[2] = new uint[8];",
            "var r = rows[1]; rows[1] = rows[2]; rows[2] = r; rows[word % 3][word & 3] += word; "
            + "seen = rows[1][2] + (uint)rows[2].Length;"
        },
        {
            "Node a = new Node(3), b = new Node(5);",
            "if (word == 5) a.Other = b.Words; if (word == 6) a.Other = null; if (a.Other != null) a.Other[2]++; "
            + "seen = a.Words[2] + (b.Words[2] << 8);"
        },
        {
            "Pair pair; pair.First = new Node(1); pair.Count = 0; var other = new Node(9);",
            "var was = pair.First; pair.First = other; other = was; pair.Count += pair.First.Number; "
            + "pair.First.Number += word; seen = pair.Count;"
        },
        {
            "Change change = Half;",
            "seen = change(word); if (word > 7) change = Twice; else if (word == 3) change = Half;"
        },
        {
            "Shape one = new Square(), two = new Line();",
            "var c = one; one = two; two = c; seen = one.Area(word & 63);"
        },
        {
            "Shape one = new Square(), two = null;",
            "if (word == 4) two = one; if (word > 4) two = word == 7 ? null : one; "
            + "seen = two == null ? 0 : two.Area(word & 63); two = null;"
        },
        {
            "Kiwi.Pause(); var late = new Node(7); var list = late; list.Next = new Node(2);",
            "late.Number += word; seen = list.Number + list.Next.Words[1]; if (word > 5) list.Next = late;"
        },
        { "seen = Total(1) + Total(2, 3, 4);", "seen += Total(word);" },
        { "string[] names = null;", "var name = word > 3 ? \"many\" : \"few\"; Console.WriteLine(name); seen = 1;" },
        {
            "Node list = null, free = new Node(1); free.Next = new Node(2); free.Next.Next = new Node(3); "
            + "free.Next.Next.Next = null;",
            "if ((word & 1) != 0 && free != null) { var n = free; free = n.Next; n.Number = word; n.Next = list; "
            + "list = n; } else if (list != null) "
            + "{ var n = list; list = n.Next; n.Next = free; free = n; seen = n.Number; }"
        },
    };

    [Theory]
    [MemberData(nameof(Programs))]
    public void A_reference_changes(string before, string cycle) => Trace.Check(
        Source.Program($$"""
            {{Ports}}
            [Kiwi.HardwareEntryPoint]
            static void Main() { {{before}} while (true) { Kiwi.Pause(); {{cycle}} } }
            """), 300, Words);

    /// <summary>Static fields that two threads share, and what each does.</summary>
    public static TheoryData<string, string, string> Threads => new()
    {
        {
            "static Node shared = new Node(1); static Node other = new Node(2);",
            "var c = shared; shared = other; other = c;", "seen = shared.Number; if (word > 3) shared.Number += word;"
        },
        {
            "static Kiwi.Channel<Node> there = new(), back = new(); static Node one = new Node(1);",
            "one.Number += word; there.Write(one); one = back.Read();",
            "var n = there.Read(); seen = n.Number; Kiwi.Pause(); back.Write(n);"
        },
        {
            "static Node[] all = { new Node(1), new Node(2) }; static Node now = all[0];",
            "now = all[word & 1];", "seen = now.Number; now.Number = word;"
        },
    };

    [Theory]
    [MemberData(nameof(Threads))]
    public void Another_thread_sees_it_behind_the_edge(string shared, string one, string other) => Trace.Check(
        Source.Program($$"""
            {{Ports}}
            {{shared}}
            static void One() { while (true) { Kiwi.Pause(); {{one}} } }
            [Kiwi.HardwareEntryPoint]
            static void Main() { new Thread(One).Start(); while (true) { Kiwi.Pause(); {{other}} } }
            """), 300, Words);

    [Fact]
    public void An_element_that_threads_share_keeps_its_object()
    {
        var refused = Assert.Throws<CompileException>(() => ClockedCompiler.Compile(Source.Program($$"""
            {{Ports}}
            static Node[] all = { new Node(1), new Node(2) };
            static void One() { while (true) { Kiwi.Pause(); all[word & 1] = all[0]; } }
            [Kiwi.HardwareEntryPoint]
            static void Main() { new Thread(One).Start(); while (true) { Kiwi.Pause(); seen = all[0].Number; } }
            """)));
        Assert.Equal(6, refused.Number);
    }

    [Fact]
    public void Random_programs_are_the_same_on_every_rung() =>
        Trace.CheckRandom(Tier.IsFast ? 8 : 80, 6, 150, Random, _ => Words);

    private static ulong Words(long cycle, ClockedPort port) => (ulong)(cycle * 7 ^ cycle >> 2) & 15;

    /// <summary>References move between variables, fields, elements and static fields.</summary>
    private static string Random(int seed)
    {
        var random = new Random(seed);
        string Pick(params string[] of) => of[random.Next(of.Length)];
        string[] places = ["a", "b", "c", "kept", "a.Next", "b.Next", "all[0]", "all[word % 3]", "all[2].Next"];
        string Place() => Pick(places);
        string Index() => Pick("0", "1", "word & 3");
        var text = new StringBuilder();
        void Add(FormattableString line) => text.AppendLine(line.ToString(CultureInfo.InvariantCulture));
        string Statement(int depth) => random.Next(depth > 2 ? 5 : 9) switch
        {
            0 or 1 => $"{Place()} = {Place()};",
            2 => $"if ({Pick("a", "b", "c")} != null) c = {Place()};",
            3 => Pick("a", "b") is var n ? $"{n}.Number += word + {random.Next(9)};" : "",
            4 => $"seen = seen * 3 + {Pick("a", "b", "all[1]", "kept")}.Words[{Index()}]; a.Words[{Index()}] += word;",
            5 => $"if (word > {random.Next(16)}) {{ {Statement(depth + 1)} {Statement(depth + 1)} }}",
            6 => $"if ({Place()} == {Place()}) {{ {Statement(depth + 1)} }} else {{ {Statement(depth + 1)} }}",
            7 => $"for (var i = 0; i < {random.Next(1, 4)}; i++) {{ {Statement(3)} Kiwi.Pause(); {Statement(3)} }}",
            _ => $"change = {Pick("Half", "Twice")}; seen = change(seen); kept = Swap(ref a, {Pick("b", "kept")});",
        };
        Add($"{Ports}");
        Add($"static Node kept = new Node({random.Next(99)});");
        Add($"static Node[] all = {{ kept, new Node(5), new Node(6) }};");
        Add($"static Node Swap(ref Node one, Node other) {{ var was = one; one = other; return was; }}");
        Add($"[Kiwi.HardwareEntryPoint] static void Main() {{");
        Add($"Node a = new Node(11), b = {Pick("kept", "new Node(12)", "a")};");
        Add($"Node c = {Pick("null", "a", "b", "all[2]", "kept")};");
        Add($"a.Next = b; b.Next = {Pick("a", "all[1]")}; all[2].Next = a; Change change = Half;");
        Add($"while (true) {{ Kiwi.Pause();");
        for (var i = random.Next(2, 7); i > 0; i--) Add($"{Statement(0)}");
        Add($"seen ^= a.Number + change(b.Number); }} }}");
        return text.ToString();
    }
}
