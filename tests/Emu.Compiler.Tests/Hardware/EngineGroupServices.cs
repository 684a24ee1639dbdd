using System.Buffers.Binary;

namespace Emu.Compiler.Tests;

/// <summary>Services of which several engines can work on frames at once: these share nothing but counters.</summary>
internal static class EngineGroupServices
{
    /// <summary>All of them, by name.</summary>
    public static IReadOnlyDictionary<string, Func<Service>> All { get; } = new Dictionary<string, Func<Service>>
    {
        ["turns by the frame"] = () => new Turns(),
        ["early drops"] = () => new EarlyDrops(),
        ["copies"] = () => new Copies(),
        ["faults"] = () => new Faulting(),
        ["time divided"] = () => new Seconds(),
        ["tables"] = () => new Tables(),
        ["shared calls"] = () => new Calls(),
        ["wide sums"] = () => new WideSums(),
        ["other lengths"] = () => new Lengths(),
    };

    /// <summary>Frames take as long as their first byte says, so that short work overtakes long.</summary>
    private sealed class Turns : Service
    {
        private ulong _frames;
        private ulong _turns;

        public override void Process(ref Frame frame)
        {
            _frames++;
            var sum = 0u;
            for (var i = 0; i < frame.Bytes[0] % 64; i++)
            {
                sum = sum * 31 + frame.Bytes[i % 14];
                _turns++;
            }
            frame.Bytes[13] = (byte)sum;
            frame.Flood();
        }
    }

    /// <summary>Some frames are dropped at once, and some after long.</summary>
    private sealed class EarlyDrops : Service
    {
        private uint _dropped;

        public override void Process(ref Frame frame)
        {
            if (frame.Bytes[0] % 3 == 0)
            {
                _dropped++;
                return;
            }
            var at = 0;
            while (at < frame.Length && frame.Bytes[at] != 0) at++;
            if (at % 4 == 1) return;
            frame.Bytes[12] = (byte)at;
            frame.Reply();
        }
    }

    /// <summary>None, one or several frames leave for one.</summary>
    private sealed class Copies : Service
    {
        private readonly Counter _sent = new();

        public override void Process(ref Frame frame)
        {
            for (var i = 0; i < frame.Bytes[0] % 5; i++)
            {
                frame.Bytes[13] = (byte)i;
                if (i == 2) frame.Resize(14 + frame.Bytes[1]);
                frame.Send(new PortSet(frame.Bytes[2]));
                _sent.Increment();
            }
            if (frame.Bytes[3] % 2 == 0) frame.Flood();
        }
    }

    /// <summary>Faults behind counts and copies, which stand.</summary>
    private sealed class Faulting : Service
    {
        private readonly byte[] _table = [3, 1, 4, 1, 5, 9, 2, 6];
        private long _balance;

        public override void Process(ref Frame frame)
        {
            _balance -= frame.Bytes[0];
            if (frame.Bytes[1] % 2 == 0) frame.Send(PortSet.First(1));
            var last = 0;
            for (var i = 0; i < frame.Bytes[2] % 12; i++) last += _table[i];
            _balance += last / (frame.Bytes[3] % 8);
            frame.Bytes[13] = (byte)last;
            frame.Reply();
        }
    }

    /// <summary>The time, and its quotient.</summary>
    private sealed class Seconds : Service
    {
        private ulong _seconds;

        public override void Process(ref Frame frame)
        {
            _seconds += frame.Seconds & 3;
            if (frame.Bytes[0] % 4 == 0) return;
            BinaryPrimitives.WriteUInt64BigEndian(frame.Bytes, frame.Time);
            BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[8..], (uint)frame.Seconds);
            for (var i = 0; i < frame.Bytes[12] % 32; i++) frame.Bytes[13] += frame.Bytes[i % 12];
            frame.Flood();
        }
    }

    /// <summary>Contents that nothing writes, as much as block RAM holds and as little as LUTs do.</summary>
    private sealed class Tables : Service
    {
        private readonly byte[] _small = [.. Enumerable.Range(0, 20).Select(i => (byte)(i * 7))];

        [Control]
        public Codes Codes { get; } = new(256);

        public override void Process(ref Frame frame)
        {
            var (sum, at) = (0, (int)frame.Bytes[0]);
            for (var i = 0; i < frame.Bytes[1] % 16; i++)
            {
                sum += Codes.Of(at) + _small[at % 20];
                at = sum;
            }
            BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[12..], (ushort)sum);
            frame.Flood();
        }
    }

    /// <summary>A method that has one copy: its arguments and results are each engine's own.</summary>
    private sealed class Calls : Service
    {
        private uint _calls;

        public override void Process(ref Frame frame)
        {
            var a = Mix(frame.Bytes[0], 3);
            var b = Mix(frame.Bytes[1], (int)(a & 15));
            for (var i = 0; i < frame.Bytes[2] % 8; i++) b = Mix((byte)b, i);
            BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[8..], a ^ b);
            if (b % 4 == 0) return;
            frame.Reply();
        }

        private uint Mix(byte value, int shift)
        {
            _calls++;
            var mixed = value * 0x9E37_79B9u + (uint)shift;
            for (var i = 0; i < shift; i++) mixed ^= mixed >> 15 ^ mixed << i;
            return mixed * 0x85EB_CA6Bu;
        }
    }

    /// <summary>Amounts as wide as a counter, several in an event.</summary>
    private sealed class WideSums : Service
    {
        private ulong _sum;
        private ushort _narrow;

        public override void Process(ref Frame frame)
        {
            for (var i = 0; i < frame.Bytes[0] % 4; i++)
            {
                _sum += BinaryPrimitives.ReadUInt64BigEndian(frame.Bytes[i..]);
                _narrow += frame.Bytes[i + 1];
            }
            if (frame.Bytes[5] % 8 != 0) frame.Flood();
        }
    }

    /// <summary>Frames leave longer than they came, or shorter.</summary>
    private sealed class Lengths : Service
    {
        private uint _bytes;

        public override void Process(ref Frame frame)
        {
            _bytes += (uint)frame.Length;
            var length = 14 + frame.Bytes[0] * (frame.Bytes[1] % 5);
            frame.Resize(length);
            for (var i = 0; i < length % 50; i++) frame.Bytes[i] ^= (byte)i;
            frame.Flood();
        }
    }
}
