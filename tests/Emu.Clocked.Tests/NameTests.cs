namespace Emu.Clocked.Tests;

/// <summary>
/// Every name of the dialect that compiles means the same on .NET and in a circuit, whatever others make of it.
/// </summary>
public sealed class NameTests
{
    private const string Begin = """
        [Kiwi.InputWordPort("word")] static uint word;
        [Kiwi.OutputWordPort("sum")] static ulong sum;

        """;

    /// <summary>Members of a program with <c>word</c> and <c>sum</c>, by the names that they use.</summary>
    public static TheoryData<string> Members =>
    [
        .. s_statements.Select(statement => $$"""
            [Kiwi.HardwareEntryPoint]
            public static void Main()
            {
                while (true)
                {
                    Kiwi.Pause();
                    sum += word;
                    {{statement}}
                }
            }
            """),
        .. s_declarations,
    ];

    private static readonly string[] s_statements =
    [
        "Kiwi.KppMark(1, \"begin\"); Kiwi.KppMark(2, \"end\", \"phase\");",
        "Kiwi.NoUnroll(); for (int i = 0; i < 3; i++) { Kiwi.NoUnroll(); sum += word >> i; Kiwi.Pause(); }",
        "for (int i = 0; i < 3; i++) { Kiwi.Unroll(i); sum += word >> i; }",
        "sum = Kiwi.tnow;",
        "if (Kiwi.inHardware()) sum++;",
        "Kiwi.Pause(1); sum ^= 3; Kiwi.Pause(4);",
        "Kiwi.PauseControlSet(Kiwi.PauseControl.softPauseEnable); Kiwi.Pause(Kiwi.PauseControl.hardPauseEnable);",
        "sum += (ulong)Kiwi.PauseControlSet(Kiwi.PauseControl.maximalPauseEnable);",
        "sum += (ulong)Kiwi.KPragma(false, \"note\", 1);",
        "if (word == 7) Kiwi.NeverReached(\"seven\");",
        "if ((word & 31) == 7) Kiwi.ReportNormalCompletion();",
        "if ((word & 31) == 7) Kiwi.ReportCompletion((byte)word); sum++;",
        "if ((word & 31) == 7) { sum = 3; hpr_primitives.hpr_sysexit(3); } sum++;",
        "if ((word & 31) == 7) KiwiBasicStatusMonitor.RunTimeAbend(\"seven\", (int)word); sum++;",
        "Kiwi.WriteLine(\"{0} {1:X}\", word, sum);",
        "Kiwi.WriteLine(\"number {0}\", (byte)word);",
    ];

    private static readonly string[] s_declarations =
    [
        """
        [Kiwi.MemSpace("fast"), Kiwi.Stripe(2), Kiwi.Mirror(2), Kiwi.Widen(2), Kiwi.MultiPortRegfile, Kiwi.CombSRAM]
        static uint[] memory = new uint[4];
        [Kiwi.RomArray, Kiwi.PortsPerThread(1), Kiwi.ThreadsPerPort(1)] static uint[] table = { 3, 1, 4, 1 };
        [Kiwi.Subsume, Kiwi.Hardware, Kiwi.Software] static uint last;
        [Kiwi.HardwareModule] static class Adder
        { [Kiwi.KppMarker(1, "sum")] public static uint Sum(uint one, uint other) => one + other; }
        [Kiwi.HardwareEntryPoint] public static void Main()
        {
            while (true)
            { Kiwi.Pause(); sum = Adder.Sum(memory[word & 3] + last, table[word & 3]); memory[1] = last = word; }
        }
        """,
        """
        static Kiwi.Channel<uint> channel = new Kiwi.Channel<uint>();
        static void Give() { while (true) { Kiwi.Pause(); if (word > 9) channel.Write(word); } }
        [Kiwi.HardwareEntryPoint] public static void Main()
        { new Thread(Give).Start(); while (true) { Kiwi.Pause(); sum += channel.Read(); } }
        """,
        """
        [Kiwi.InputBitPort("narrow"), Kiwi.HwWidth(5)] static byte narrow;
        [Kiwi.OutputWordPort("wide"), Kiwi.HwWidth(33)] static ulong wide;
        [Kiwi.HardwareEntryPoint] public static void Main()
        { while (true) { Kiwi.Pause(); wide = (ulong)narrow << 30 | word; sum = wide; } }
        """,
        """
        [Kiwi.RtlParameter("LENGTH", 5)] static int length = 5;
        [Kiwi.HardwareEntryPoint] public static void Main()
        { while (true) { Kiwi.Pause(); for (int i = 0; i < length; i++) sum += word >> i; } }
        """,
        """
        [Kiwi.FastBitConvert] static ulong Bits(long number) => (ulong)number;
        [Kiwi.FastBitConvert] static long Number(ulong bits) => BitConverter.ToInt64(BitConverter.GetBytes(bits), 0);
        [Kiwi.HardwareEntryPoint] public static void Main()
        { while (true) { Kiwi.Pause(); sum = Bits(Number(sum) - word); } }
        """,
        """
        [Kiwi.Volatile] static volatile uint last;
        static void Note() { while (true) { Kiwi.Pause(); last = word; } }
        [Kiwi.HardwareEntryPoint] public static void Main()
        { new Thread(Note).Start(); while (true) { Kiwi.Pause(); sum += last; } }
        """,
        """
        [Kiwi.InputBytePort("low")] static byte low;
        [Kiwi.OutputBytePort("high")] static byte high;
        [Kiwi.InputName("carry")] static bool c;
        [Kiwi.OutputName("total"), Kiwi.HwWidth(12)] static ushort t;
        [Kiwi.OutputBitPort] static bool odd;
        [Kiwi.InputWordPort(15, 0, "half")] static ushort half;
        [Kiwi.OutputWordPort(31, 0)] static uint copy;
        [Kiwi.HardwareEntryPoint("Named")] public static void Main()
        { while (true) { Kiwi.Pause(); high = (byte)(low + half); t = (ushort)(c ? half : low); odd = (low & 1) != 0;
          copy = word; } }
        """,
        """
        [Kiwi.Elaborate] static int turns;
        [Kiwi.SynchSRAM(1)] static uint[] memory = new uint[4];
        [Kiwi.HardwareEntryPoint(Kiwi.PauseControl.hardPauseEnable)] public static void Main()
        {
            var first = new uint[2];
            for (turns = 0; turns < 2; turns++) first[turns] = (uint)turns + 3;
            Kiwi.EndOfElaborate();
            Kiwi.Dispose(first);
            while (true) { Kiwi.Pause(); memory[word & 3] = word; Kiwi.Pause(); sum += memory[word & 3] + first[1]; }
        }
        """,
    ];

    [Theory]
    [MemberData(nameof(Members))]
    public void A_name_means_the_same_on_DotNet_and_in_a_circuit(string members) =>
        Trace.Check(Source.Program(Begin + members), 100, isOutside: false);
}
