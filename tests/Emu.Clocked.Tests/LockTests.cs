namespace Emu.Clocked.Tests;

/// <summary>Locks and channels between threads take the same cycles on every rung.</summary>
public sealed class LockTests
{
    [Fact]
    public void A_lock_is_had_by_one_thread_at_a_time()
    {
        var trace = Trace.Check(Source.Program("""
            [Kiwi.InputWordPort("hold")] static byte hold;
            [Kiwi.OutputWordPort("inside")] static uint inside;
            [Kiwi.OutputWordPort("entries")] static uint entries;
            static readonly object guard = new object();

            static void Worker1() => Work(1);
            static void Worker2() => Work(2);

            static void Work(int me)
            {
                while (true)
                {
                    Kiwi.Pause();
                    if ((hold & me) == 0) continue;
                    lock (guard)
                    {
                        Console.WriteLine("{0} is in at {1}", me, Kiwi.tnow);
                        Debug.Assert(inside == 0);
                        inside = (uint)me;
                        Kiwi.Pause();
                        if ((hold & 4) != 0) Kiwi.Pause();
                        entries++;
                        inside = 0;
                    }
                }
            }

            [Kiwi.HardwareEntryPoint]
            public static void Main()
            {
                new Thread(Worker1).Start();
                new Thread(Worker2).Start();
                Work(4);
            }
            """), 400);
        Assert.DoesNotContain("Assertion", string.Concat(trace.Texts));
        foreach (var me in new[] { "1 is", "2 is", "4 is" }) Assert.Contains(me, string.Concat(trace.Texts));
    }

    [Fact]
    public void A_queue_of_four_places_wakes_all_that_wait() => Trace.Check(Source.File("""
        public class Places
        {
            readonly uint[] items = new uint[4];
            int first, count;

            public void Put(uint item)
            {
                lock (this)
                {
                    while (count == 4) Monitor.Wait(this);
                    items[(first + count) & 3] = item;
                    count++;
                    Monitor.PulseAll(this);
                }
            }

            public uint Take()
            {
                lock (this)
                {
                    while (count == 0) Monitor.Wait(this);
                    var item = items[first];
                    first = (first + 1) & 3;
                    count--;
                    Monitor.PulseAll(this);
                    return item;
                }
            }
        }

        public static class Program
        {
            [Kiwi.InputWordPort("pace")] static byte pace;
            [Kiwi.OutputWordPort("sum")] static uint sum;
            static readonly Places places = new Places();

            static void Produce()
            {
                uint item = 0;
                while (true)
                {
                    Kiwi.Pause();
                    if ((pace & 1) != 0) places.Put(item++);
                }
            }

            [Kiwi.HardwareEntryPoint]
            public static void Main()
            {
                new Thread(Produce).Start();
                while (true)
                {
                    Kiwi.Pause();
                    if ((pace & 6) == 0) sum += places.Take();
                }
            }
        }
        """), 300);

    [Fact]
    public void Monitors_nest_try_wait_and_pulse() => Trace.Check(Source.File("""
        public class Box
        {
            public uint Word;
            public bool IsFull;

            public void Put(uint word)
            {
                lock (this)
                {
                    while (IsFull) Monitor.Wait(this);
                    Set(word);
                    Monitor.PulseAll(this);
                }
            }

            void Set(uint word)
            {
                lock (this) (Word, IsFull) = (word, true);
            }

            public uint Take()
            {
                lock (this)
                {
                    while (!IsFull) Monitor.Wait(this);
                    IsFull = false;
                    Monitor.Pulse(this);
                    return Word;
                }
            }
        }

        public static class Top
        {
            [Kiwi.InputWordPort("word")] static uint word;
            [Kiwi.OutputWordPort("got1")] static uint got1;
            [Kiwi.OutputWordPort("got2")] static uint got2;
            [Kiwi.OutputWordPort("tries")] static uint tries;
            static Box box = new Box();

            static void First()
            {
                while (true)
                {
                    Kiwi.Pause();
                    got1 = box.Take();
                }
            }

            static void Second()
            {
                while (true)
                {
                    Kiwi.Pause();
                    got2 ^= box.Take();
                    if (Monitor.TryEnter(box))
                    {
                        tries++;
                        Monitor.Exit(box);
                    }
                }
            }

            [Kiwi.HardwareEntryPoint]
            public static void Main()
            {
                new Thread(First).Start();
                new Thread(Second).Start();
                while (true)
                {
                    Kiwi.Pause();
                    if ((word & 1) != 0) box.Put(word);
                }
            }
        }
        """), 400);

    [Fact]
    public void A_channel_moves_each_number_once()
    {
        var trace = Trace.Check(Source.Program("""
            [Kiwi.InputWordPort("go")] static byte go;
            static readonly Kiwi.Channel<uint> numbers = new Kiwi.Channel<uint>();

            static void Even()
            {
                for (uint i = 0; ; i += 2)
                {
                    do Kiwi.Pause(); while ((go & 1) != 0);
                    numbers.Write(i);
                }
            }

            static void Odd()
            {
                for (uint i = 1; ; i += 2)
                {
                    Kiwi.Pause();
                    numbers.Write(i);
                }
            }

            [Kiwi.HardwareEntryPoint]
            public static void Main()
            {
                new Thread(Even).Start();
                new Thread(Odd).Start();
                while (true)
                {
                    Kiwi.Pause();
                    if (go < 200) Console.Write("{0} ", numbers.Read());
                }
            }
            """), 200);
        var numbers = string.Concat(trace.Texts).Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(int.Parse)
            .ToList();
        foreach (var odd in new[] { 0, 1 })
        {
            var own = numbers.Where(number => number % 2 == odd).ToList();
            Assert.Equal(Enumerable.Range(0, own.Count).Select(i => 2 * i + odd), own);
        }
        Assert.True(numbers.Count > 40, $"{numbers.Count} numbers");
    }

    /// <summary>A channel of the program's own, as textbooks have it; the run ends in its lock.</summary>
    [Fact]
    public void A_run_ends_where_its_first_thread_waits_for_a_pulse() => Trace.Check(Source.File("""
        class Channel<T>
        {
            T datum;
            volatile bool isEmpty = true;

            public void Write(T value)
            {
                lock (this)
                {
                    while (!isEmpty) { Kiwi.NoUnroll(); Monitor.Wait(this); }
                    datum = value;
                    isEmpty = false;
                    Monitor.PulseAll(this);
                }
            }

            public T Read()
            {
                T read;
                lock (this)
                {
                    while (isEmpty) { Kiwi.NoUnroll(); Monitor.Wait(this); }
                    isEmpty = true;
                    read = datum;
                    Monitor.PulseAll(this);
                }
                return read;
            }
        }

        class Squares
        {
            [Kiwi.OutputWordPort("sum")] static int sum;
            static Channel<int> channel = new Channel<int>();

            static void Produce()
            {
                for (int i = 0; i < 10; i++) { channel.Write(i * i); Kiwi.Pause(); }
            }

            [Kiwi.HardwareEntryPoint()]
            static void Main()
            {
                new Thread(new ThreadStart(Produce)).Start();
                while (true)
                {
                    Kiwi.Pause();
                    sum += channel.Read();
                    Console.WriteLine("sum is {0}", sum);
                }
            }
        }
        """), 60);

    [Fact]
    public void A_finally_block_runs_on_every_way_and_behind_a_fault() => Trace.Check(Source.Program("""
        [Kiwi.InputWordPort("word")] static uint word;
        [Kiwi.OutputWordPort("count")] static uint count;
        [Kiwi.OutputWordPort("last")] static uint last;
        static uint[] table = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };

        static uint Look(uint at)
        {
            try
            {
                if (at == 3) return 100;
                if (at == 5) Kiwi.Pause();
                try
                {
                    return table[at];
                }
                finally
                {
                    count += 100;
                }
            }
            finally
            {
                count++;
            }
        }

        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            while (true)
            {
                Kiwi.Pause();
                last = Look(word & 15);
            }
        }
        """), 200);

    [Fact]
    public void A_thread_that_is_started_later_begins_in_the_next_cycle() => Trace.Check(Source.Program("""
        [Kiwi.InputBitPort("go")] static bool go;
        [Kiwi.OutputWordPort("count")] static uint count = 5;
        [Kiwi.OutputWordPort("seen")] static uint seen;
        static bool started;

        static void Count()
        {
            Console.WriteLine("begins at {0}", Kiwi.tnow);
            count = 7;
            while (true)
            {
                Kiwi.Pause();
                count++;
            }
        }

        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            do Kiwi.Pause(); while (!go);
            var thread = new Thread(Count);
            thread.Start();
            Console.WriteLine("started at {0}", Kiwi.tnow);
            while (true)
            {
                Kiwi.Pause();
                seen = count;
            }
        }
        """), 60);
}
