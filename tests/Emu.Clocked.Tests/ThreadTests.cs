using Emu.Compiler.Clocked;
using Emu.Compiler.Diagnostics;

namespace Emu.Clocked.Tests;

/// <summary>Threads are parallel circuits: another one's write is seen behind the edge.</summary>
public sealed class ThreadTests
{
    [Fact]
    public void Two_threads_exchange_variables_like_registers()
    {
        var trace = Trace.Check(Source.Program("""
            [Kiwi.OutputWordPort("left")] static uint left = 1;
            [Kiwi.OutputWordPort("right")] static uint right = 2;

            static void Swap()
            {
                while (true)
                {
                    Kiwi.Pause();
                    right = left;
                }
            }

            [Kiwi.HardwareEntryPoint]
            public static void Main()
            {
                new Thread(new ThreadStart(Swap)).Start();
                while (true)
                {
                    Kiwi.Pause();
                    left = right;
                }
            }
            """), 20);
        Assert.Equal(2UL, trace.Outputs[1]["left"]);
        Assert.Equal(1UL, trace.Outputs[1]["right"]);
    }

    /// <summary>Each thread has a read port of its own.</summary>
    [Fact]
    public void Two_threads_read_words_of_one_memory_in_one_cycle() => Trace.Check(Source.Program("""
        [Kiwi.InputWordPort("at")] static ushort at;
        [Kiwi.InputWordPort("from")] static ushort from;
        [Kiwi.InputWordPort("number")] static uint number;
        [Kiwi.OutputWordPort("sum")] static uint sum;
        [Kiwi.OutputWordPort("word")] static uint word;
        static uint[] words = new uint[1024];

        static void Read()
        {
            while (true)
            {
                Kiwi.Pause();
                word = words[from & 15];
            }
        }

        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            new Thread(Read).Start();
            while (true)
            {
                Kiwi.Pause();
                sum += words[at & 15];
                Kiwi.Pause();
                words[at & 15] = number;
            }
        }
        """));

    [Fact]
    public void A_handshake_between_threads_moves_numbers() => Trace.Check(Source.File("""
        public class Worker
        {
            public uint Number;
            uint total;

            public void Run()
            {
                while (true)
                {
                    do Kiwi.Pause(); while (!Top.request);
                    for (int i = 0; i < 4; i++)
                    {
                        total += Number << i;
                        Top.history[i] = (byte)total;
                        Kiwi.Pause();
                    }
                    Top.answer = total;
                    Top.done = true;
                    do Kiwi.Pause(); while (Top.request);
                    Top.done = false;
                }
            }
        }

        public static class Top
        {
            [Kiwi.InputWordPort("word")] static uint word;
            [Kiwi.InputBitPort("go")] static bool go;
            [Kiwi.OutputWordPort("result")] static uint result;
            [Kiwi.OutputBitPort("busy")] static bool busy;
            public static volatile bool request, done;
            public static uint answer;
            public static byte[] history = new byte[4];

            [Kiwi.HardwareEntryPoint]
            public static void Main()
            {
                Worker worker = new Worker();
                Thread thread = new Thread(new ThreadStart(worker.Run));
                thread.IsBackground = true;
                thread.Start();
                while (true)
                {
                    do Kiwi.Pause(); while (!go);
                    busy = true;
                    worker.Number = word;
                    request = true;
                    do Kiwi.Pause(); while (!done);
                    result = answer ^ history[word & 3];
                    request = false;
                    busy = false;
                    do Kiwi.Pause(); while (done);
                }
            }
        }
        """), 1000);

    [Theory]
    [InlineData("Thread thread = new Thread(Count); thread.Name = \"counter \" + 1; thread.Start();")]
    [InlineData("kept = new Thread(new ThreadStart(Count)); kept.Start();")]
    [InlineData(
        "Thread[] threads = new Thread[2]; for (int i = 0; i < 2; i++) threads[i] = new Thread(new Part().Run); "
        + "foreach (Thread thread in threads) thread.Start();")]
    [InlineData("var part = new Part(); part.Thread = new Thread(part.Run); part.Start();")]
    [InlineData("int step = 3; uint from = 4; new Thread(() => Step(ref from, step)).Start(); from++;")]
    [InlineData("for (int i = 0; i < 3; i++) { var part = new Part(); new Thread(() => part.Add(i)).Start(); }")]
    public void A_thread_is_kept_and_shares_variables_as_any_object(string start) => Trace.Check(Source.Program($$"""
        [Kiwi.InputWordPort("word")] static uint word;
        [Kiwi.OutputWordPort("count")] static uint count;
        static Thread kept;
        static object[] guards = new object[2];

        class Part
        {
            static int made;
            static uint[] sums = new uint[4];
            readonly int number = made++;
            public Thread Thread;
            public void Start() => Thread.Start();
            public void Run() { while (true) { Kiwi.Pause(); lock (guards[1]) sums[number] += word; } }
            public void Add(int by) { while (true) { Kiwi.Pause(); sums[number] += (uint)by; } }
            public static uint Sum() => sums[0] + 3 * sums[1] + 5 * sums[2];
        }

        static void Count() { while (true) { Kiwi.Pause(); count++; } }
        static void Step(ref uint from, int step) { while (true) { Kiwi.Pause(); from += (uint)step; count = from; } }

        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            object[] locks = new object[2];
            for (int i = 0; i < locks.Length; i++) locks[i] = new object();
            guards = locks;
            {{start}}
            while (true)
            {
                Kiwi.Pause();
                lock (locks[0]) Console.WriteLine("{0}", Part.Sum());
            }
        }
        """), 60, isOutside: false);

    [Theory]
    [InlineData("while (true) { Kiwi.Pause(); if (count == 3) kept.Start(); }", DiagnosticNumber.Allocation)]
    [InlineData("new Thread(Take).Start(3);", DiagnosticNumber.ClockedMember)]
    [InlineData("early.Start();", DiagnosticNumber.UnknownObject)]
    public void A_thread_that_is_not_started_once_is_refused(string statement, int number)
    {
        var refused = Assert.Throws<CompileException>(() => ClockedCompiler.Compile(Source.Program($$"""
            [Kiwi.OutputWordPort("count")] static uint count;
            static Thread kept;
            static Thread early = new Thread(Count);

            static void Count() { while (true) { Kiwi.Pause(); count++; } }
            static void Take(object given) { while (true) { Kiwi.Pause(); count++; } }

            [Kiwi.HardwareEntryPoint]
            public static void Main()
            {
                kept = new Thread(Count);
            #line 100
                {{statement}}
                while (true) Kiwi.Pause();
            }
            """)));
        Assert.Equal((number, 100), (refused.Number, refused.Location!.Line));
    }

    [Fact]
    public void Two_threads_that_write_one_variable_in_a_cycle_are_an_error()
    {
        var program = Source.Program("""
            [Kiwi.OutputWordPort("count")] static uint count;

            static void Other()
            {
                Kiwi.Pause();
                Kiwi.Pause();
                count = 7;
                Kiwi.Pause();
            }

            [Kiwi.HardwareEntryPoint]
            public static void Main()
            {
                new Thread(Other).Start();
                while (true)
                {
                    Kiwi.Pause();
                    count = count;
                }
            }
            """);
        var refused = Assert.Throws<ClockedException>(() => Trace.OfDotNet(program, 10, (_, _) => 0));
        Assert.Equal(
            "EMU0035: two threads write Example.count in cycle 1; let one own it, and ask by a handshake",
            refused.Message);
        Assert.All(
            Trace.Simulators(ClockedCompiler.Compile(program.Again()).Design),
            simulator => Assert.Equal(
                ["", "", "", "EMU0035: two threads write count; let one own it, and ask by a handshake\n", "", ""],
                Trace.TextsOf(simulator, 4)));
    }

    [Fact]
    public void Two_threads_that_write_one_variable_in_every_cycle_do_not_compile()
    {
        var refused = Assert.Throws<CompileException>(() => ClockedCompiler.Compile(Source.Program("""
            [Kiwi.OutputWordPort("count")] static uint count;

            static void Other()
            {
                while (true)
                {
                    Kiwi.Pause();
            #line 100
                    count = 7;
                }
            }

            [Kiwi.HardwareEntryPoint]
            public static void Main()
            {
                new Thread(Other).Start();
                while (true)
                {
                    Kiwi.Pause();
                    count++;
                }
            }
            """)));
        Assert.Equal((DiagnosticNumber.TwoWriters, 100), (refused.Number, refused.Location!.Line));
    }
}
