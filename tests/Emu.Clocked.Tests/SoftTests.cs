using Emu.Compiler.Clocked;
using Emu.Compiler.Diagnostics;

namespace Emu.Clocked.Tests;

/// <summary>
/// In code that is soft the compiler adds pauses where something does not fit; .NET takes the same ones, and hard code
/// none.
/// </summary>
public sealed class SoftTests
{
    private const string Head = """
        [Kiwi.InputWordPort("a")] static ushort a;
        [Kiwi.InputWordPort("b")] static ushort b;
        [Kiwi.InputBitPort("go")] static bool go;
        [Kiwi.OutputWordPort("sum")] static uint sum;
        [Kiwi.OutputWordPort("turn")] static uint turn;
        static uint[] memory = new uint[1024];

        """;

    private const string Soft = "Kiwi.PauseControlSet(Kiwi.PauseControl.softPauseEnable);\n";
    private const string Hard = "Kiwi.PauseControlSet(Kiwi.PauseControl.hardPauseEnable);\n";
    private const string TwoReads = "sum += memory[a & 1023] + memory[b & 1023];\n";

    [Fact]
    public void Two_reads_of_a_memory_take_two_cycles()
    {
        var program = Source.Program(Head + Loop(Soft + TwoReads + Hard + "turn++;"));
        var trace = Trace.Check(program);
        var pause = Assert.Single(ClockedCompiler.Compile(program.Again()).Program.Schedule!);
        Assert.Equal("the array memory is read at two places in one cycle", pause.Reason);
        Assert.Equal(100UL, trace.Outputs[^1]["turn"]);
    }

    [Fact]
    public void Hard_code_is_refused_as_before() => Refused(Soft + Hard + TwoReads, DiagnosticNumber.MemoryPort);

    [Fact]
    public void Code_that_is_hard_on_one_way_is_hard() =>
        Refused("if (go) " + Soft + TwoReads + Hard, DiagnosticNumber.MemoryPort);

    [Fact]
    public void A_method_that_hard_code_calls_too_is_hard()
    {
        const string Method = "static void Add() { " + TwoReads + " }\n";
        var refused = Assert.Throws<CompileException>(() => ClockedCompiler.Compile(Source.Program(
            Head + Method + Loop(Soft + "Add();" + Hard + "Kiwi.Pause(); Add();"))));
        Assert.Equal(DiagnosticNumber.MemoryPort, refused.Number);
    }

    [Fact]
    public void A_flag_of_a_pause_counts_up_to_the_next_pause()
    {
        Stepped(Source.Program(Head + Loop("Kiwi.Pause(2);" + TwoReads + "turn++;")));
        Stepped(Source.Program(
            Head + Loop("Kiwi.Pause(Kiwi.PauseControl.softPauseEnable);" + TwoReads + "turn++;")));
        Refused("Kiwi.Pause(2); turn++; Kiwi.Pause();" + TwoReads, DiagnosticNumber.MemoryPort);
        Refused(Soft + "Kiwi.Pause(4);" + TwoReads, DiagnosticNumber.MemoryPort);
    }

    [Fact]
    public void A_mode_is_given_back_and_set_again() => Stepped(Source.Program(Head + Loop("""
        var before = Kiwi.PauseControlSet(Kiwi.PauseControl.softPauseEnable);
        sum += memory[a & 1023] * memory[b & 1023];
        turn += (uint)Kiwi.PauseControlSet(before);
        """)));

    [Fact]
    public void A_mode_that_depends_on_the_way_is_kept_in_a_register() => Stepped(Source.Program(Head + Loop("""
        if (go) Kiwi.PauseControlSet(Kiwi.PauseControl.softPauseEnable);
        Kiwi.Pause();
        turn = turn * 3 + (uint)Kiwi.PauseControlSet(Kiwi.PauseControl.hardPauseEnable);
        """)));

    [Fact]
    public void A_loop_without_a_pause_takes_a_cycle_a_turn()
    {
        var program = Source.Program(Head + Loop(Soft + """
            uint n = a, bits = 0;
            while (n != 0) { bits += n & 1; n >>= 1; }
            sum = bits;
            for (int i = 0; i < 1024; i++) sum ^= memory[i];
            """ + Hard + "turn++;"));
        Trace.Check(program, 3000);
        var pauses = ClockedCompiler.Compile(program.Again()).Program.Schedule!;
        Assert.Equal(2, pauses.Count);
        Assert.All(pauses, pause => Assert.Contains("Example.cs", pause.Place));
        Assert.All(pauses, pause => Assert.Equal("a loop has no pause", pause.Reason));
    }

    [Fact]
    public void A_division_takes_a_cycle_for_each_bit()
    {
        var program = Source.Program(Head + Loop(Soft + "sum = a / (uint)(b | 1);" + Hard + "turn++;"));
        var trace = Trace.Check(program, 3400);
        var pauses = Assert.Single(ClockedCompiler.Compile(program.Again()).Program.Schedule!);
        Assert.Equal(32, pauses.Count);
        Assert.Equal("a division by a number that is not constant does not fit into a cycle", pauses.Reason);
        Assert.Equal(100UL, trace.Outputs[^1]["turn"]);
    }

    [Theory]
    [InlineData("uint", "")]
    [InlineData("int", "")]
    [InlineData("ulong", "<< 40")]
    [InlineData("long", "<< 40")]
    public void Quotients_and_remainders_are_those_of_CSharp(string type, string shift) => Stepped(Source.Program(
        $$"""
        [Kiwi.InputWordPort("dividend")] static {{type}} dividend;
        [Kiwi.InputWordPort("divisor")] static {{type}} divisor;
        [Kiwi.OutputWordPort("quotient")] static {{type}} quotient;
        [Kiwi.OutputWordPort("rest")] static {{type}} rest;

        [Kiwi.HardwareEntryPoint(Kiwi.PauseControl.softPauseEnable)]
        public static void Main()
        {
            while (true)
            {
                Kiwi.Pause();
                {{type}} by = divisor, next = dividend {{shift}};
                if (by == 0) by = 3;
                quotient = next / by;
                rest = next % by;
            }
        }
        """), 4000);

    [Theory]
    [InlineData("a / (b & 0)")]
    [InlineData("a % (b & 0)")]
    [InlineData("(int)(a & 0 | 0x80000000) / ((int)(b & 0) - 1)")]
    [InlineData("(int)(a & 0 | 0x80000000) % ((int)(b & 0) - 1)")]
    public void A_division_that_has_no_result_ends_the_thread(string division)
    {
        var trace = Stepped(Source.Program(Head + Loop(Soft + $"sum = (uint)({division});" + Hard + "turn++;")));
        Assert.Equal(0UL, trace.Outputs[^1]["turn"]);
    }

    [Fact]
    public void Hard_code_does_not_divide() =>
        Refused("Kiwi.Pause();" + Soft + Hard + "sum = a / (uint)(b | 1);", DiagnosticNumber.LongOperation);

    [Fact]
    public void The_entry_point_may_be_soft_and_so_are_its_threads() => Trace.Check(Source.Program(Head + """
        static uint[] other = new uint[512];
        [Kiwi.OutputWordPort("found")] static uint found;

        static void Search()
        {
            while (true)
            {
                Kiwi.Pause();
                found = (uint)(other[a & 511] == other[b & 511] ? 1 : 0) + other[turn & 511];
                other[b & 511] = a;
            }
        }

        [Kiwi.HardwareEntryPoint(Kiwi.PauseControl.softPauseEnable)]
        public static void Main()
        {
            new Thread(Search).Start();
            while (true)
            {
                Kiwi.Pause();
                for (int i = 0; i < 4; i++) memory[(a + i) & 1023] = memory[(b - i) & 1023] + (uint)i;
                sum = memory[a & 1023];
                turn++;
            }
        }
        """), 1500);

    [Fact]
    public void DotNet_does_not_run_soft_code_of_which_it_does_not_know_the_pauses()
    {
        var program = Source.Program(Head + Loop(Soft + TwoReads));
        var refused = Assert.Throws<ClockedException>(() => new ClockedRun(program).Run(_ => true));
        Assert.Contains("ClockedCircuit", refused.Message);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Random_soft_programs_are_the_same_on_every_rung(int threads) => Trace.CheckRandom(
        (Tier.IsFast ? 6 : 30) / threads, 2, 300,
        seed => RandomProgram.Of(100 * threads + seed, threads, isSoft: true));

    private static string Loop(string body) => $$"""
        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            while (true)
            {
                Kiwi.Pause();
                memory[turn & 1023] = b;
                Kiwi.Pause();
                {{body}}
            }
        }
        """;

    private static Trace Stepped(ClockedProgram program, int cycles = 300) =>
        Trace.Check(program, cycles, isOutside: false);

    private static void Refused(string body, int number) => Assert.Equal(
        number,
        Assert.Throws<CompileException>(() => ClockedCompiler.Compile(Source.Program(Head + Loop(body)))).Number);
}
