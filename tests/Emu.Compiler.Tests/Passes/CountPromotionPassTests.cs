using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Parsers that count are folds, and count what C# counts, as other loops do.</summary>
public sealed class CountPromotionPassTests
{
    /// <summary>Counts bytes by kind up to the first of a kind, and adds some of them up.</summary>
    private sealed class ByteKinds : Service
    {
        public Counter Zeros { get; } = new();

        public Counter Small { get; } = new();

        public Counter Total { get; } = new();

        public override void Process(ref Frame frame)
        {
            var bytes = frame.Bytes[14..];
            for (var i = 0; i < bytes.Length; i++)
            {
                if (bytes[i] == 0xFF) return;
                if (bytes[i] == 0) Zeros.Increment();
                else if (bytes[i] < 16) Small.Increment();
                Total.Add(bytes[i]);
            }
            frame.Flood();
        }
    }

    /// <summary>
    /// Counts values that say how long they are, one of which may say that the next lies in front of it, and ends
    /// outside of the frame at times.
    /// </summary>
    private sealed class Records : Service
    {
        public Counter Begun { get; } = new();

        public Counter Even { get; } = new();

        public Counter Lengths { get; } = new();

        public override void Process(ref Frame frame)
        {
            var bytes = frame.Bytes[14..];
            var at = 0;
            for (var i = 0; i < 40 && at < bytes.Length; i++)
            {
                Begun.Increment();
                var length = bytes[at] & 31;
                if (bytes[at] >= 0xF8 && i < 20) length = -1;
                else if (length % 2 == 0) Even.Increment();
                at += 1 + length;
                if (bytes[at] == 7) break;
                Lengths.Add((uint)length & 31);
                at++;
            }
            frame.Flood();
        }
    }

    [Fact]
    public void A_parser_that_counts_is_a_fold() => Assert.True(
        HardwareCompiler.Compile(new ModbusGuard(default), new HardwareOptions()).Compilation.Fast!
            .Has(Opcode.FrameFold));

    [Fact]
    public void Bytes_are_counted_as_in_CSharp() => Check(() => new ByteKinds(), 256);

    [Fact]
    public void So_are_records_wherever_they_end() => Check(() => new Records(), 40);

    /// <summary>Requests that are cut anywhere, and say other lengths than they have.</summary>
    [Fact]
    public void So_are_requests_of_which_a_segment_has_several()
    {
        var random = new Random(19);
        var engineering = IPv4Address.Parse("10.0.0.6");
        var frames = Enumerable.Range(0, 160).Select(i =>
        {
            var requests = NaturalTraffic.ModbusRequests(i, random);
            if (i % 3 == 1) requests[5] = (byte)random.Next(20);
            if (i % 7 == 0) requests[random.Next(requests.Length)] ^= (byte)(1 << random.Next(8));
            byte[] bytes = NaturalTraffic.FromHost(i % 2 * 4, engineering).Tcp(1000, 502, flags: Packet.Ack)
                .Payload(i % 4 == 0 ? requests[..random.Next(requests.Length)] : requests);
            return new IncomingFrame(i % 4, bytes, (ulong)(1000 + i));
        }).ToList();
        Check(() => new ModbusGuard(NaturalTraffic.Host(4)), frames);
    }

    private static void Check(Func<Service> make, int below)
    {
        var random = new Random(3);
        Check(make, [.. Enumerable.Range(0, 160).Select(i =>
        {
            var bytes = new byte[14 + i % 90];
            for (var at = 14; at < bytes.Length; at++)
                bytes[at] = (byte)(random.Next(40) == 0 ? random.Next(256) : random.Next(below - 1));
            return new IncomingFrame(i % 4, bytes, (ulong)(1000 + i));
        })]);
    }

    private static void Check(Func<Service> make, List<IncomingFrame> frames) =>
        Ladder.Check(make, frames, new LadderOptions
        {
            BusBits = [64, 256, 512],
            Layouts = [Layout.Pipeline],
            Outside = OutsideSimulators.None,
        });
}
