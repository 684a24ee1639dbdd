using Microsoft.CodeAnalysis;

namespace Emu.Clocked.Tests;

/// <summary>
/// Threads of a program on .NET are coroutines where they can be: they do the same as threads of the operating system,
/// and as the circuit.
/// </summary>
public sealed class CoroutineTests
{
    private const string Begin = """
        [Kiwi.InputWordPort("word")] static uint word;
        [Kiwi.OutputWordPort("count")] static uint count;
        [Kiwi.OutputWordPort("other")] static long other;
        static readonly object guard = new object();

        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            new Thread(Work).Start();
            while (true)
            {
                Kiwi.Pause();
                lock (guard) if ((word & 1) != 0) count++;
            }
        }

        """;

    /// <summary>Threads, by what is special about them.</summary>
    public static TheoryData<string> Threads =>
    [
        // A number on the stack, and a result, across a pause.
        """
        static void Work() { while (true) { Kiwi.Pause(); other = word * 3L + Later((short)word) - Later(-5); } }
        static long Later(short add) { uint before = word; Kiwi.Pause(); return before + add; }
        """,
        // Protected blocks in one another, left by return, fault and loop; a pause at their beginning.
        """
        static void Work()
        {
            for (int i = 0; ; i++)
            {
                try
                {
                    Kiwi.Pause();
                    try { other += Look(i); } finally { other += 1000; Mark(); }
                    if ((word & 2) != 0) continue;
                    Kiwi.Pause();
                }
                finally { other++; }
            }
        }
        static int[] table = { 5, 6, 7, 8 };
        static void Mark() => other ^= 3;
        static int Look(int at)
        {
            try { try { if ((word & 4) != 0) Kiwi.Pause(); return table[at & 3]; } finally { other += 7; } }
            finally { other -= 2; }
        }
        """,
        // Locks that are asked for across cycles, inside calls of objects.
        """
        class Part { public uint Sum; public virtual void Add(uint n) { lock (this) { Kiwi.Pause(); Sum += n; } } }
        class Twice : Part { public override void Add(uint n) { base.Add(n); Kiwi.Pause(); base.Add(n); } }
        static Part part = new Twice();
        static void Work()
        {
            while (true)
            {
                Kiwi.Pause();
                lock (guard)
                {
                    part.Add(word & 7);
                    lock (guard) other = part.Sum;
                }
            }
        }
        """,
        // A value of another thread by a channel, in an expression.
        """
        static readonly Kiwi.Channel<uint> numbers = new Kiwi.Channel<uint>();
        static void Work()
        {
            new Thread(Send).Start();
            while (true) { Kiwi.Pause(); if ((word & 1) != 0) other = word * 2L + numbers.Read(); }
        }
        static void Send() { for (uint i = 0; ; i++) { numbers.Write(i * i); Kiwi.Pause(); } }
        """,
        // It ends.
        "static void Work() { for (int i = 0; i < 5; i++) { Kiwi.Pause(); other += word; } }",
    ];

    [Theory]
    [MemberData(nameof(Threads))]
    public void They_are_coroutines_and_the_same_on_every_rung(string thread)
    {
        foreach (var level in new[] { OptimizationLevel.Release, OptimizationLevel.Debug })
        {
            var program = Source.Program(Begin + thread, level);
            Assert.True(program.ToRun(allowsCoroutines: true).HasCoroutines);
            Trace.Check(program, 300, isOutside: false);
        }
    }

    /// <summary>A wait for a pulse has something to remember that no variable of the program holds.</summary>
    [Fact]
    public void A_program_that_waits_for_pulses_has_threads_of_the_system()
    {
        var program = Source.Program(
            Begin + "static void Work() { while (true) { Kiwi.Pause(); lock (guard) Monitor.Wait(guard); } }");
        Assert.False(program.ToRun(allowsCoroutines: true).HasCoroutines);
    }
}
