namespace Emu.Clocked.Tests;

/// <summary>A pause is exactly one clock edge, on every rung.</summary>
public sealed class PauseTests
{
    private const string Counter = """
        [Kiwi.InputBitPort("enable")] static bool enable;
        [Kiwi.OutputWordPort("count")] static uint count = 5;

        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            while (true)
            {
                Kiwi.Pause();
                if (enable) count++;
            }
        }
        """;

    [Fact]
    public void A_counter_counts_in_each_cycle_in_which_it_is_enabled()
    {
        var trace = Trace.Check(Source.Program(Counter), 100);
        Assert.Equal(5UL, trace.Outputs[0]["count"]);
        Assert.Equal(5UL + (ulong)trace.Inputs.Count(row => row["enable"] != 0), trace.Outputs[^1]["count"]);
    }

    [Fact]
    public void An_entry_point_may_give_a_number() => Assert.Equal(
        8UL,
        Trace.Check(Source.Program(Counter.Replace("void Main()", "int Main()")), 3, (_, _) => 1).Outputs[^1]["count"]);

    [Fact]
    public void Values_computed_before_a_pause_are_kept_in_registers() => Trace.Check(Source.Program("""
        [Kiwi.InputWordPort("a")] static uint a;
        [Kiwi.InputWordPort("b")] static byte b;
        [Kiwi.OutputWordPort("sum")] static ulong sum;
        [Kiwi.OutputBitPort("valid")] static bool valid;

        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            while (true)
            {
                Kiwi.Pause();
                valid = false;
                uint first = a;
                byte low = b;
                Kiwi.Pause();
                uint second = first * 3 + a;
                Kiwi.Pause();
                sum = (ulong)second + (ulong)(low ^ b);
                valid = true;
            }
        }
        """));

    [Fact]
    public void A_loop_without_a_pause_is_written_out_into_one_cycle() => Trace.Check(Source.Program("""
        [Kiwi.InputWordPort("word")] static uint word;
        [Kiwi.OutputWordPort("ones")] static int ones;

        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            while (true)
            {
                Kiwi.Pause();
                int n = 0;
                for (int i = 0; i < 32; i++) if ((word >> i & 1) != 0) n++;
                ones = n;
            }
        }
        """));

    [Fact]
    public void A_loop_with_a_pause_takes_a_cycle_a_turn() => Trace.Check(Source.Program("""
        [Kiwi.InputWordPort("length")] static byte length;
        [Kiwi.InputWordPort("data")] static byte data;
        [Kiwi.OutputWordPort("sum")] static uint sum;
        [Kiwi.OutputBitPort("done")] static bool done;

        static uint[] buffer = new uint[16];

        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            while (true)
            {
                do Kiwi.Pause(); while (length == 0);
                done = false;
                int n = length & 15;
                for (int i = 0; i <= n; i++)
                {
                    buffer[i] = data;
                    Kiwi.Pause();
                }
                uint total = 0;
                for (int i = n; i >= 0; i--)
                {
                    total += buffer[i] << (i & 3);
                    Kiwi.Pause();
                }
                sum = total;
                done = true;
            }
        }
        """), 1000);

    [Fact]
    public void A_large_array_is_a_memory() => Trace.Check(Source.Program("""
        [Kiwi.InputWordPort("address")] static ushort address;
        [Kiwi.InputWordPort("data")] static ulong data;
        [Kiwi.InputBitPort("write")] static bool write;
        [Kiwi.OutputWordPort("read")] static ulong read;

        static ulong[] memory = new ulong[512];

        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            for (int i = 0; i < 512; i++) memory[i] = (ulong)i * 0x9E3779B97F4A7C15;
            while (true)
            {
                Kiwi.Pause();
                if (write) memory[address & 511] = data;
                else read = memory[address & 511];
            }
        }
        """), 1000);

    [Fact]
    public void An_exception_ends_the_thread_where_it_is_thrown() => Trace.Check(Source.Program("""
        [Kiwi.InputWordPort("word")] static byte word;
        [Kiwi.OutputWordPort("sum")] static uint sum;

        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            int[] weights = { 3, 1, 4, 1, 5, 9, 2, 6 };
            while (true)
            {
                Kiwi.Pause();
                sum += (uint)weights[word & 7];
                if (sum > 500) throw new InvalidOperationException("too much: " + sum);
            }
        }
        """));

    [Fact]
    public void A_thread_that_ends_or_fails_keeps_its_registers()
    {
        var trace = Trace.Check(Source.Program("""
            [Kiwi.InputWordPort("index")] static byte index;
            [Kiwi.OutputWordPort("last")] static byte last;

            static readonly byte[] table = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };

            [Kiwi.HardwareEntryPoint]
            public static void Main()
            {
                while (true)
                {
                    Kiwi.Pause();
                    last = (byte)(index + 1);
                    last = table[index & 15];
                }
            }
            """));
        Assert.Equal(trace.Outputs[^1]["last"], trace.Outputs[^2]["last"]);
    }
}
