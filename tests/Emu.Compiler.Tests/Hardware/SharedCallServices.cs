namespace Emu.Compiler.Tests;

/// <summary>Services whose methods are called from several places.</summary>
internal static class SharedCallServices
{
    /// <summary>All of them, by name.</summary>
    public static IReadOnlyDictionary<string, Func<Service>> All { get; } = new Dictionary<string, Func<Service>>
    {
        ["mixes"] = () => new Mixes(),
        ["nested calls"] = () => new Nested(),
        ["calls in loops"] = () => new InLoops(),
        ["loops in calls"] = () => new LoopsInside(),
        ["early returns"] = () => new EarlyReturns(),
        ["writes to the frame"] = () => new FrameWriter(),
        ["writes to state"] = () => new StateWriter(),
        ["faults"] = () => new Faulting(),
        ["out and ref"] = () => new OutAndRef(),
        ["spans of several memories"] = () => new Spans(),
        ["sent copies"] = () => new Copies(),
        ["ticks"] = () => new Ticking(),
    };

    /// <summary>Different numbers, some of which are the same in all calls.</summary>
    private sealed class Mixes : Service
    {
        private uint _sum;

        public override void Process(ref Frame frame)
        {
            frame.Flood();
            var a = Mix(frame.Bytes[0], 3, 7);
            var b = Mix(frame.Bytes[1], 5, 7);
            var c = Mix((byte)a, (int)(b & 31), 7);
            if (frame.Bytes[2] > 128) c ^= Mix(frame.Bytes[3], 9, 7);
            _sum += a ^ b + c;
            frame.Bytes[12] = (byte)_sum;
            frame.Bytes[13] = (byte)c;
        }

        private static uint Mix(byte value, int shift, uint constant)
        {
            var mixed = value * 0x9E37_79B9u + constant;
            mixed ^= mixed >> 15;
            return (mixed << shift | mixed >> (32 - shift)) * 0x85EB_CA6Bu;
        }
    }

    /// <summary>Shared methods that call shared methods.</summary>
    private sealed class Nested : Service
    {
        private ulong _state = 1;

        public override void Process(ref Frame frame)
        {
            frame.Flood();
            for (var i = 0; i < 3; i++) _state = Outer(_state, frame.Bytes[i]);
            if (frame.Bytes[4] < 100) _state = Inner(_state, frame.Bytes[5]);
            _state = Outer(_state + 1, frame.Bytes[6]);
            frame.Bytes[13] = (byte)(_state >> 32);
        }

        private static ulong Outer(ulong a, byte b) => Inner(Inner(a, b), (byte)(b + 1)) - Inner(b, (byte)a);

        private static ulong Inner(ulong a, byte b)
        {
            a += b;
            a ^= a << 13;
            a ^= a >> 7;
            return a ^ a << 17;
        }
    }

    /// <summary>Calls from loops whose number of turns is not known, and behind them.</summary>
    private sealed class InLoops : Service
    {
        private readonly ushort[] _table = new ushort[100];

        public override void Process(ref Frame frame)
        {
            frame.Flood();
            var (sum, i) = (0u, 0);
            while (i < frame.Length && frame.Bytes[i] != 0)
            {
                sum = Step(sum, frame.Bytes[i]);
                for (var j = 0; j < (frame.Bytes[i] & 3); j++) sum = Step(sum, (byte)j);
                if ((sum & 1) == 0) i += 2;
                else i++;
            }
            sum = Step(sum, (byte)i);
            frame.Bytes[0] = (byte)sum;
            frame.Bytes[1] = (byte)(sum >> 8);
        }

        private uint Step(uint sum, byte next)
        {
            ref var entry = ref _table[(sum + next) % 100];
            entry += (ushort)(next + 1);
            return sum * 31 + entry;
        }
    }

    /// <summary>Methods that have loops and branches.</summary>
    private sealed class LoopsInside : Service
    {
        private readonly byte[] _bytes = new byte[64];

        public override void Process(ref Frame frame)
        {
            frame.Flood();
            var first = Count(frame.Bytes, frame.Bytes[0]);
            var second = Count(frame.Bytes, (byte)first);
            for (var i = 0; i < second && i < 64; i++) _bytes[i] = (byte)(frame.Bytes[i % 14] + i);
            var third = Count(frame.Bytes, (byte)(first + second));
            frame.Bytes[12] = (byte)(first + 2 * second);
            frame.Bytes[13] = (byte)third;
        }

        private static int Count(ReadOnlySpan<byte> bytes, byte sought)
        {
            var count = 0;
            foreach (var octet in bytes)
            {
                if (octet == 0xFF) break;
                if (octet < sought) count++;
            }
            return count;
        }
    }

    /// <summary>Several ends, one of which is a verdict.</summary>
    private sealed class EarlyReturns : Service
    {
        private int _last;

        public override void Process(ref Frame frame)
        {
            if (!TryTake(ref frame, 0, out var a) || !TryTake(ref frame, 3, out var b)) return;
            if (a == b && !TryTake(ref frame, 5, out b)) return;
            _last = a - b;
            frame.Bytes[13] = (byte)_last;
        }

        private bool TryTake(ref Frame frame, int at, out int taken)
        {
            taken = 0;
            if (frame.Bytes[at] < 40) return false;
            if (frame.Bytes[at] < 80)
            {
                frame.Reply();
                return false;
            }
            taken = frame.Bytes[at] ^ _last;
            frame.Flood();
            return taken != 7;
        }
    }

    /// <summary>Bytes of the frame are read in front of calls that write them, and behind.</summary>
    private sealed class FrameWriter : Service
    {
        public override void Process(ref Frame frame)
        {
            frame.Flood();
            var before = frame.Bytes[3];
            Put(frame.Bytes, 3, (byte)(before + 1));
            Put(frame.Bytes, frame.Bytes[3] % 14, before);
            Put(frame.Bytes[2..], frame.Bytes[before % 14] % 12, frame.Bytes[3]);
            frame.Bytes[13] ^= (byte)(before + frame.Bytes[3]);
        }

        private static void Put(Span<byte> bytes, int at, byte value)
        {
            bytes[at] = value;
            if (value > 200) bytes[at + 1 < bytes.Length ? at + 1 : 0]--;
        }
    }

    /// <summary>Registers and memories are read in front of calls that write them, and behind.</summary>
    private sealed class StateWriter : Service
    {
        private readonly uint[] _counts = new uint[300];
        private readonly byte[] _parts = new byte[128];
        private int _count;
        private ulong _total;

        public override void Process(ref Frame frame)
        {
            frame.Flood();
            _count = 0;
            Add(1, frame.Bytes[0]);
            Add(2, 77);
            if (frame.Bytes[1] > 90) Add(frame.Bytes[1], 5);
            for (var i = 2; i < 5; i++) Add(i, frame.Bytes[i]);
            var before = _total;
            _total += (ulong)_count;
            Add(9, (byte)_total);
            frame.Bytes[12] = (byte)(before + _total);
            frame.Bytes[13] = _parts[frame.Bytes[6] % _count];
        }

        private void Add(int kind, byte number)
        {
            _parts[_count++] = (byte)(kind * number);
            _total += number;
            _counts[number + kind % 8]++;
        }
    }

    /// <summary>An index out of range, a division by zero.</summary>
    private sealed class Faulting : Service
    {
        private readonly byte[] _table = new byte[200];
        private int _calls;

        public override void Process(ref Frame frame)
        {
            frame.Flood();
            var a = Look(frame.Bytes[0], frame.Bytes[1]);
            var b = Look(frame.Bytes[2], 3);
            frame.Bytes[13] = (byte)(a + b + Look((byte)(a + 1), frame.Bytes[3]));
        }

        private int Look(byte at, byte divisor)
        {
            _calls++;
            _table[at]++;
            return (_table[at] * 7 + _calls) / (divisor & 15);
        }
    }

    /// <summary>Variables of the caller that a method changes.</summary>
    private sealed class OutAndRef : Service
    {
        private struct Pair
        {
            public uint First;
            public byte Second;
        }

        private Pair _kept;

        public override void Process(ref Frame frame)
        {
            frame.Flood();
            var (a, b) = (new Pair { First = frame.Bytes[0] }, default(Pair));
            Turn(ref a, ref b, out var x);
            Turn(ref b, ref a, out var y);
            for (var i = 0; i < frame.Bytes[1] % 5; i++) Turn(ref a, ref b, out x);
            Turn(ref a, ref a, out var z);
            Turn(ref _kept, ref b, out _);
            Turn(ref _kept, ref a, out _);
            frame.Bytes[11] = (byte)(a.First + b.First + _kept.First);
            frame.Bytes[12] = (byte)(a.Second ^ b.Second ^ _kept.Second);
            frame.Bytes[13] = (byte)(x + y + z);
        }

        private static void Turn(ref Pair one, ref Pair other, out int sum)
        {
            one.First += 3;
            other.Second = (byte)(one.First + other.First);
            other.First ^= one.Second;
            sum = (int)(one.First + other.Second);
        }
    }

    /// <summary>Spans over the frame, an array and a local array: a copy for each.</summary>
    private sealed class Spans : Service
    {
        private readonly byte[] _kept = new byte[80];

        public override void Process(ref Frame frame)
        {
            frame.Flood();
            Span<byte> local = stackalloc byte[8];
            for (var i = 0; i < 8; i++) local[i] = (byte)(frame.Bytes[i] + i);
            var sum = Sum(frame.Bytes) + Sum(frame.Bytes[3..9]) + Sum(local) + Sum(local[2..5]);
            sum += Sum(_kept);
            sum += Sum(_kept.AsSpan(frame.Bytes[2] % 40, 8));
            frame.Bytes[2..12].CopyTo(_kept.AsSpan(frame.Bytes[1] % 60));
            frame.Bytes[13] = (byte)sum;
        }

        private static byte Sum(Span<byte> bytes)
        {
            byte sum = 0;
            for (var i = 0; i < bytes.Length; i++) sum += bytes[i];
            if (bytes.Length > 5) bytes[4] += sum;
            return sum;
        }
    }

    /// <summary>Copies leave from a method.</summary>
    private sealed class Copies : Service
    {
        public override void Process(ref Frame frame)
        {
            Emit(ref frame, 1);
            if (frame.Bytes[0] > 100) Emit(ref frame, frame.Bytes[1]);
            for (var i = 0; i < frame.Bytes[2] % 4; i++) Emit(ref frame, (byte)i);
            frame.Reply();
        }

        private static void Emit(ref Frame frame, byte mark)
        {
            frame.Bytes[13] = mark;
            frame.Send(PortSet.First(2));
            frame.Bytes[12] += mark;
        }
    }

    /// <summary>A method that frames and ticks call.</summary>
    private sealed class Ticking : Service
    {
        private uint _state;

        public override ulong TickInterval => 3000;

        public override void Process(ref Frame frame)
        {
            Step(frame.Bytes[0]);
            frame.Bytes[13] = (byte)_state;
            frame.Flood();
        }

        public override void Tick(ref Frame frame)
        {
            Step(1);
            if ((_state & 7) == 0) Step(2);
        }

        private void Step(byte by)
        {
            _state = (_state + by) * 0x0101_0101;
            _state ^= _state >> 11;
        }
    }
}
