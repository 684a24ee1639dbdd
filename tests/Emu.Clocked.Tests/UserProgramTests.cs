using System.Reflection;

namespace Emu.Clocked.Tests;

/// <summary>Programs as users write them are the same on every rung.</summary>
public sealed class UserProgramTests
{
    private const int Cycles = 2000;

    private static readonly Assembly s_own = Assembly.GetExecutingAssembly();

    /// <summary>The programs in files of their own.</summary>
    public static TheoryData<string> Programs =>
    [
        .. s_own.GetManifestResourceNames().Where(name => name.StartsWith("Programs/", StringComparison.Ordinal))
            .Share(2),
    ];

    [Theory]
    [MemberData(nameof(Programs))]
    public void A_program_is_the_same_on_every_rung(string name)
    {
        using var file = new StreamReader(s_own.GetManifestResourceStream(name)!);
        Trace.Check(Source.File(file.ReadToEnd()), Cycles, Mostly());
    }

    /// <summary>A master of I2C: bits, bytes and conditions are methods, and a device may stretch the clock.</summary>
    [Fact]
    public void A_serial_master_of_methods_in_methods() => Trace.Check(Source.Program("""
        [Kiwi.InputBitPort("sda_in")] static bool sda_in;
        [Kiwi.OutputBitPort("sda_low")] static bool sda_low;
        [Kiwi.OutputBitPort("scl_low")] static bool scl_low;
        [Kiwi.InputBitPort("scl_in")] static bool scl_in;
        [Kiwi.InputWordPort("device")] static byte device;
        [Kiwi.InputWordPort("register")] static byte register;
        [Kiwi.InputBitPort("start")] static bool start;
        [Kiwi.OutputWordPort("value")] static byte value;
        [Kiwi.OutputBitPort("nack")] static bool nack;

        static void Quarter() { Kiwi.Pause(); Kiwi.Pause(); }

        static void Rise() { scl_low = false; do { Kiwi.Pause(); } while (!scl_in); }

        static bool Bit(bool bit)
        {
            sda_low = !bit; Quarter(); Rise(); Quarter();
            bool seen = sda_in;
            scl_low = true; Quarter();
            return seen;
        }

        static void Condition(bool isStart)
        {
            sda_low = !isStart; Quarter(); Rise(); Quarter();
            sda_low = isStart; Quarter(); scl_low = isStart; Quarter();
        }

        static bool Write(byte b)
        {
            for (int i = 0; i < 8; i++) { Bit((b & 0x80) != 0); b = (byte)(b << 1); }
            return !Bit(true);
        }

        static byte Read()
        {
            byte b = 0;
            for (int i = 0; i < 8; i++) b = (byte)((b << 1) | (Bit(true) ? 1 : 0));
            Bit(true);
            return b;
        }

        [Kiwi.HardwareEntryPoint()]
        public static void Main()
        {
            while (true)
            {
                Kiwi.Pause();
                if (!start) continue;
                Condition(true);
                bool ok = Write((byte)(device << 1)) && Write(register);
                if (ok)
                {
                    Condition(true);
                    ok = Write((byte)(device << 1 | 1));
                    if (ok) value = Read();
                }
                Condition(false);
                nack = !ok;
            }
        }
        """), Cycles, Mostly());

    /// <summary>A queue that is an object of its own, with a lock and what waits for it.</summary>
    [Fact]
    public void A_bounded_buffer_between_threads() => Trace.Check(Source.File("""
        class Bounded
        {
            private readonly uint[] items = new uint[8];
            private int count, first;

            public void Put(uint item)
            {
                lock (this)
                {
                    while (count == items.Length) Monitor.Wait(this);
                    items[(first + count) % items.Length] = item;
                    count++;
                    Monitor.PulseAll(this);
                }
            }

            public uint Take()
            {
                lock (this)
                {
                    while (count == 0) Monitor.Wait(this);
                    uint item = items[first];
                    first = (first + 1) % items.Length;
                    count--;
                    Monitor.PulseAll(this);
                    return item;
                }
            }
        }

        class Queue
        {
            [Kiwi.InputWordPort("item")] static uint item;
            [Kiwi.InputBitPort("push")] static bool push;
            [Kiwi.InputBitPort("pop")] static bool pop;
            [Kiwi.OutputWordPort("last")] static uint last;
            [Kiwi.OutputWordPort("taken")] static uint taken;
            static Bounded buffer = new Bounded();

            static void Consume()
            {
                while (true)
                {
                    while (!pop) Kiwi.Pause();
                    last = buffer.Take();
                    taken++;
                    Kiwi.Pause();
                }
            }

            [Kiwi.HardwareEntryPoint()]
            static void Main()
            {
                new Thread(new ThreadStart(Consume)).Start();
                while (true)
                {
                    Kiwi.Pause();
                    if (push) buffer.Put(item);
                }
            }
        }
        """), Cycles, Mostly());

    /// <summary>Bits that stay for some cycles, so that a conversation over them comes far; words are any.</summary>
    private static Func<long, ClockedPort, ulong> Mostly()
    {
        var (words, bits) = (Trace.Random(1), new Random(5));
        return (cycle, port) => port.Width > 1 ? words(cycle, port)
            : (ulong)(bits.Next(40) == 0 ? 1 : 0) ^ (ulong)(cycle / 37 & 1);
    }
}
