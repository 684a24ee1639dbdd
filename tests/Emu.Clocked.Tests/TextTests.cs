using Emu.Compiler.Clocked;
using Emu.Compiler.Diagnostics;

namespace Emu.Clocked.Tests;

/// <summary>Text is printed the same in the same cycle on every rung.</summary>
public sealed class TextTests
{
    public static TheoryData<string, string> Statements => new()
    {
        { "Console.WriteLine(\"hello\");", "hello\n" },
        { "Console.Write(\"50% of {x} \\\"a\\\\b\\\"\\t\"); Console.WriteLine();", "50% of {x} \"a\\b\"\t\n" },
        { "Console.WriteLine(\"grüße\");", "grüße\n" },
        { "Console.WriteLine(number);", "4000000000\n" },
        { "Console.WriteLine((int)number);", "-294967296\n" },
        { "Console.WriteLine(number > 5); Console.WriteLine(number == 5);", "True\nFalse\n" },
        { "Console.WriteLine((char)(number % 26 + 'A'));", "W\n" },
        {
            "Console.WriteLine(\"a {0} b {1:X} c {2:x8}\", number, number, (byte)number);",
            "a 4000000000 b EE6B2800 c 00000000\n"
        },
        {
            "Console.WriteLine(\"{0,12}|{1,-6}|{2:D4}|{3,7:X}\", number, (short)-3, (int)-7, (byte)171);",
            "  4000000000|-3    |-0007|     AB\n"
        },
        { "Console.WriteLine(\"{{{0}}}\", (ulong)number * number);", "{16000000000000000000}\n" },
        { "Console.WriteLine(\"{0} {1} {2} {3} {4}\", 1, (sbyte)-2, true, 'x', number);", "1 -2 True x 4000000000\n" },
        {
            "Console.WriteLine($\"n={number} x={number:X} {(number > 3 ? \"big\" : \"small\")}\");",
            "n=4000000000 x=EE6B2800 big\n"
        },
        { "Console.WriteLine($\"{number,12:X}|{(byte)number,-4}|\");", "    EE6B2800|0   |\n" },
        { "Console.WriteLine(\"n=\" + number + \", c=\" + (char)('a' + number % 3) + '.');", "n=4000000000, c=b.\n" },
        { "string s = number > 3 ? \"\" : \"no\"; Console.WriteLine(\"[\" + s + \"]\");", "[]\n" },
        { "Console.WriteLine(string.Format(\"{0}-{1}\", number, \"x\"));", "4000000000-x\n" },
        { "Console.WriteLine(number.ToString(\"X\") + 7.ToString());", "EE6B28007\n" },
        { "for (int i = 0; i < 3; i++) Console.Write(\"abc\"[i]); Console.WriteLine(\"abc\".Length);", "abc3\n" },
        {
            "Debug.Assert(number > 3); Debug.Assert(number < 3, \"too large\");",
            "Assertion failed at Example.cs:100: too large\n"
        },
        { "Trace.Assert(number < 3);", "" },
        { "Console.WriteLine((DayOfWeek)(number % 7));", "Wednesday\n" },
        { "Console.WriteLine($\"{(DayOfWeek)(number % 9),9}|{(DayOfWeek)number,-3}|\");", " Thursday|-294967296|\n" },
        { "Console.WriteLine((DayOfWeek)(number % 7) + \" \" + ((DayOfWeek)1).ToString());", "Wednesday Monday\n" },
        {
            "DayOfWeek day = (DayOfWeek)(number % 7); Console.WriteLine(\"{0:D} {0:X} {0:x} {0:g}\", day); "
                + "Console.WriteLine(day.ToString(\"G\"));",
            "3 00000003 00000003 Wednesday\nWednesday\n"
        },
        {
            "point.X = number; Console.WriteLine(point); Console.WriteLine(\"at \" + point);",
            "<4000000000>\nat <4000000000>\n"
        },
        {
            "var size = new Size { Width = number }; Console.WriteLine(\"{0} {1}\", size, size.ToString()); "
                + "Console.WriteLine($\"{size} {point.ToString()} {new Plain()}\");",
            "4000000000 wide 4000000000 wide\n4000000000 wide <0> Example+Plain\n"
        },
        { "Console.WriteLine(corner); Console.WriteLine(other.ToString());", "corner <0>\nExample+Other!\n" },
        {
            "Console.WriteLine(guard); Console.WriteLine(guard.ToString() + plain);",
            "System.Object\nSystem.ObjectExample+Plain\n"
        },
        { "Console.WriteLine((Access)(number % 8));", "0\n" },
        { "Console.WriteLine($\"{(Access)(3 + number % 2)} {(Access)9} {(Access)2:F}\");", "Read, Write 9 Write\n" },
        { "Console.WriteLine($\"{(Level)(number >> 24),-6}|{(Level)(number >> 28)}\");", "Low   |14\n" },
    };

    [Theory]
    [MemberData(nameof(Statements))]
    public void It_is_the_text_of_DotNet(string statements, string expected)
    {
        var trace = Trace.Check(
            Program(statements), 6, (cycle, _) => cycle == 3 ? 4_000_000_000 : 0, isOutside: false);
        Assert.Equal(expected, trace.Texts[4]);
    }

    [Fact]
    public void All_of_it_is_the_same_in_outside_simulators() => Trace.Check(
        Program(string.Join('\n', Statements.Select(row => $"{{ {row.Data.Item1} }}"))), 20);

    [Fact]
    public void The_elaboration_prints_before_the_first_cycle()
    {
        var trace = Trace.Check(Source.Program("""
            [Kiwi.OutputWordPort("output")] static uint output;

            [Kiwi.HardwareEntryPoint]
            public static void Main()
            {
                for (int i = 0; i < 3; i++) Console.WriteLine("square {0}: {1}", i, i * i);
                while (true)
                {
                    Kiwi.Pause();
                    output++;
                    if (output == 2) Console.WriteLine("two");
                }
            }
            """), 4);
        Assert.Equal(["square 0: 0\nsquare 1: 1\nsquare 2: 4\n", "", "two\n", "", ""], trace.Texts);
    }

    [Fact]
    public void Threads_print_in_the_order_in_which_they_were_started() => Trace.Check(Source.Program("""
        [Kiwi.InputWordPort("number")] static uint number;
        static uint shared;

        static void Second()
        {
            while (true)
            {
                Kiwi.Pause();
                if ((shared & 1) != 0) Console.WriteLine("second sees {0}", shared);
            }
        }

        static void Third()
        {
            Console.WriteLine("third is there");
            while (true)
            {
                Kiwi.Pause();
                Console.Write("third ");
                Kiwi.Pause();
                Console.WriteLine("has {0:X4}", (ushort)(shared + number));
            }
        }

        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            new Thread(Second).Start();
            new Thread(Third).Start();
            Console.WriteLine("first starts");
            while (true)
            {
                Kiwi.Pause();
                shared = number;
                Console.WriteLine("first sees " + shared);
            }
        }
        """), 40);

    [Theory]
    [InlineData("Console.WriteLine(\"{0:N2}\", number);")]
    [InlineData("Console.WriteLine(\"{1}\", number);")]
    [InlineData("Console.WriteLine(\"{0:D3}\", (DayOfWeek)number);")]
    [InlineData("Console.WriteLine((AttributeTargets)number);")]
    public void What_does_not_print_is_refused_where_it_stands(string statements)
    {
        var refused = Assert.Throws<CompileException>(() => ClockedCompiler.Compile(Program(statements)));
        Assert.Equal((DiagnosticNumber.PrintedText, 100), (refused.Number, refused.Location!.Line));
    }

    private static ClockedProgram Program(string statements) => Source.Program($$"""
        [Kiwi.InputWordPort("number")] static uint number;
        [Flags] enum Access : byte { Read = 1, Write = 2 }
        enum Level : sbyte { Low = -18, High = 7 }
        class Point { public uint X; public override string ToString() => $"<{X}>"; }
        class Corner : Point { public override string ToString() => "corner " + base.ToString(); }
        class Other { public override string ToString() => base.ToString() + "!"; }
        static Point corner = new Corner();
        static Other other = new Other();
        struct Size { public uint Width; public override string ToString() => Width + " wide"; }
        struct Plain { }
        static Point point = new Point();
        static Plain plain;
        static object guard = new object();

        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            while (true)
            {
                Kiwi.Pause();
                if (number == 0) continue;
        #line 100
                {{statements}}
            }
        }
        """);
}
