using System.Buffers.Binary;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// A parser that reads at places which earlier reads give is one fold, and does what C# does wherever a length leads.
/// </summary>
public sealed class ParseGraphTests
{
    private static readonly MacAddress s_source = MacAddress.Parse("02:00:00:00:00:0b");
    private static readonly MacAddress s_destination = MacAddress.Parse("02:00:00:00:00:01");

    /// <summary>Three values that each say how long they are; faults where a length leads behind the frame.</summary>
    private sealed class ThreeValues : Service
    {
        public override void Process(ref Frame frame)
        {
            var bytes = frame.Bytes[14..];
            var at = 0;
            at += 1 + bytes[at];
            var kind = bytes[at];
            at += 1 + (kind & 15);
            frame.ForwardTo(new PortId(bytes[at] == kind ? 1 : bytes[at] & 3));
        }
    }

    /// <summary>A chain of headers that some frames have, and what is behind it or in its place.</summary>
    private sealed class OptionalHeaders : Service
    {
        public override void Process(ref Frame frame)
        {
            var bytes = frame.Bytes[14..];
            var at = 1;
            if ((bytes[0] & 4) != 0)
            {
                at = 3;
                while (bytes[at - 1] != 0 && at < 200)
                {
                    var words = bytes[at] & 7;
                    if (words == 0) return;
                    at += 4 * words;
                }
            }
            if (bytes.Length < at + 4) return;
            var (kind, length) = (bytes[at], bytes[at + 1]);
            frame.ForwardTo(new PortId(bytes[at + 2] == kind ? length & 3 : at & 3));
        }
    }

    /// <summary>
    /// Lines of which each begins with a word: the search for its end reads again from where the word begins.
    /// </summary>
    private sealed class Lines : Service
    {
        public Counter Words { get; } = new();

        public override void Process(ref Frame frame)
        {
            var text = frame.Bytes[14..];
            while (text.Length >= 2)
            {
                if (text[0] == 3) Words.Increment();
                if (text[1] == 4) return;
                var end = text.IndexOf((byte)0);
                if (end < 0) break;
                text = text[(end + 1)..];
            }
            frame.ForwardTo(new PortId(text.Length & 3));
        }
    }

    /// <summary>Numbers behind one another: more of their bits are asked for than a fold gives.</summary>
    private sealed class WideValues : Service
    {
        public Counter Ordered { get; } = new();

        public override void Process(ref Frame frame)
        {
            var bytes = frame.Bytes[14..];
            if (!TryRead(ref bytes, out var a) || !TryRead(ref bytes, out var b) || !TryRead(ref bytes, out var c)
                || !TryRead(ref bytes, out var d) || !TryRead(ref bytes, out var e))
                return;
            if (a < b && b < c && c != d) Ordered.Increment();
            else if (d == e) return;
            frame.ForwardTo(new PortId((a ^ b) < (c ^ d) ? 1 : e > 3 ? 2 : (int)(e & 3)));
        }

        /// <summary>Reads a number, and passes as many bytes as its lowest bits say.</summary>
        private static bool TryRead(ref Span<byte> bytes, out uint number)
        {
            number = 0;
            if (bytes.Length < 4) return false;
            number = BinaryPrimitives.ReadUInt32BigEndian(bytes);
            var length = 4 + (int)(number & 7);
            if (length > bytes.Length) return false;
            bytes = bytes[length..];
            return true;
        }
    }

    /// <summary>The comparisons of the numbers are a part of the fold, which gives their outcomes.</summary>
    [Fact]
    public void What_is_used_behind_may_be_more_than_a_fold_gives()
    {
        var compiled = HardwareCompiler.Compile(new WideValues(), new HardwareOptions());
        Assert.True(compiled.Compilation.Fast!.Has(Opcode.FrameFold));
        var random = new Random(37);
        var frames = Enumerable.Range(0, 200).Select(i =>
        {
            var bytes = new byte[14 + (i % 3 == 0 ? 20 + i % 40 : i % 60)];
            for (var at = 14; at < bytes.Length; at++)
                bytes[at] = (byte)(random.Next(4) == 0 ? random.Next(256) : random.Next(2));
            return new IncomingFrame(i % 4, bytes, (ulong)(1000 + i));
        }).ToList();
        Assert.Contains(frames, frame => new FramePaths(compiled).WhyDeferred(
            frame.Bytes, new PortId(frame.Port), frame.Time) is null);
        Check(() => new WideValues(), frames);
    }

    /// <summary>Elements of BER within one another: lengths have one to five octets, and are often wrong.</summary>
    [Fact]
    public void Lengths_may_be_numbers_of_several_octets()
    {
        var random = new Random(41);
        byte[] Element(byte tag, byte[] value) => random.Next(3) switch
        {
            0 when value.Length < 128 => [tag, (byte)value.Length, .. value],
            1 => [tag, 0x84, 0, 0, 0, (byte)value.Length, .. value],
            2 => [tag, 0x82, 0, (byte)value.Length, .. value],
            _ => [tag, 0x81, (byte)value.Length, .. value],
        };
        var frames = Enumerable.Range(0, 200).Select(i =>
        {
            var message = Element(0x30,
            [
                .. Element(2, [(byte)i]),
                .. Element((byte)(i % 5 == 0 ? 0x63 : 0x60),
                [
                    .. Element(2, [3]), .. Element(4, NaturalTraffic.Bytes(random, i % 4 * 9)),
                    .. Element((byte)(i % 3 == 0 ? 0xA3 : 0x80), NaturalTraffic.Bytes(random, i % 5 * 7)),
                ]),
            ]);
            for (var n = random.Next(3); n > 0; n--)
                message[random.Next(Math.Min(message.Length, 40))] ^= (byte)(1 << random.Next(8));
            byte[] bytes = NaturalTraffic.FromHost(i, IPv4Address.Parse("10.0.0.2"))
                .Tcp(1000, 389, flags: Packet.Ack)
                .Payload(i % 4 == 0 ? message[..random.Next(message.Length)] : message).PaddedTo(60);
            return new IncomingFrame(i % 4, bytes, (ulong)(1000 + i));
        }).ToList();
        Check(() => new LdapBindFilter(allowAnonymous: false), frames, 256);
    }

    [Fact]
    public void A_loop_may_begin_where_the_last_byte_was_read()
    {
        Assert.True(HardwareCompiler.Compile(new Lines(), new HardwareOptions()).Compilation.Fast!
            .Has(Opcode.FrameFold));
        var random = new Random(31);
        var frames = Enumerable.Range(0, 200).Select(i =>
        {
            var bytes = new byte[14 + i % 90];
            for (var at = 14; at < bytes.Length; at++) bytes[at] = (byte)random.Next(i % 4 == 0 ? 256 : 3 + i % 3);
            return new IncomingFrame(i % 4, bytes, (ulong)(1000 + i));
        }).ToList();
        Check(() => new Lines(), frames);
    }

    [Fact]
    public void It_is_a_pipeline_with_a_fold_that_takes_every_way()
    {
        var compiled = HardwareCompiler.Compile(new SnmpGuard(), new HardwareOptions());
        Assert.Equal(Layout.Pipeline, compiled.Layout);
        Assert.True(compiled.Compilation.Fast!.Has(Opcode.FrameFold));
        var compiledValues = HardwareCompiler.Compile(new ThreeValues(), new HardwareOptions());
        Assert.Equal(Layout.Pipeline, compiledValues.Layout);
        Assert.True(compiledValues.Compilation.Fast!.Has(Opcode.FrameFold));
    }

    /// <summary>A fault at every byte: lengths of all sizes in frames of all sizes.</summary>
    [Fact]
    public void A_length_may_lead_anywhere()
    {
        var random = new Random(11);
        var frames = Enumerable.Range(0, 160).Select(i =>
        {
            var bytes = new byte[15 + i % 90];
            random.NextBytes(bytes);
            bytes[14] = (byte)(i % 5 == 0 ? random.Next(256) : random.Next(bytes.Length - 13));
            return new IncomingFrame(i % 4, bytes, (ulong)(1000 + i));
        }).ToList();
        Check(() => new ThreeValues(), frames);
    }

    [Fact]
    public void Headers_may_be_there_or_not()
    {
        Assert.True(HardwareCompiler.Compile(new OptionalHeaders(), new HardwareOptions()).Compilation.Fast!
            .Has(Opcode.FrameFold));
        var random = new Random(23);
        var frames = Enumerable.Range(0, 160).Select(i =>
        {
            var bytes = new byte[14 + i % 70];
            for (var at = 14; at < bytes.Length; at++)
                bytes[at] = (byte)(random.Next(4) == 0 ? random.Next(256) : random.Next(3));
            if (bytes.Length > 14) bytes[14] = (byte)(i % 3 == 0 ? 0 : 4);
            return new IncomingFrame(i % 4, bytes, (ulong)(1000 + i));
        }).ToList();
        Check(() => new OptionalHeaders(), frames);
    }

    /// <summary>Lengths in seven bits a byte behind options of TCP, and names of those lengths.</summary>
    [Fact]
    public void Lengths_may_have_several_bytes()
    {
        var random = new Random(29);
        var frames = Enumerable.Range(0, 160).Select(i =>
        {
            var packet = NaturalTraffic.Publication(i, random);
            if (i % 3 == 1) packet[1] = (byte)random.Next(256);
            if (i % 7 == 0) packet[random.Next(packet.Length)] ^= (byte)(1 << random.Next(8));
            byte[] bytes = NaturalTraffic.FromHost(i, IPv4Address.Parse("10.0.0.2"))
                .Tcp(1000, 1883, flags: Packet.Ack, options: new byte[i % 11 * 4])
                .Payload(i % 4 == 0 ? packet[..random.Next(packet.Length)] : packet);
            return new IncomingFrame(i % 4, bytes, (ulong)(1000 + i));
        }).ToList();
        Check(() => new MqttFilter(NaturalTraffic.Host(9)), frames);
    }

    /// <summary>Requests that are cut anywhere, and say other lengths than they have.</summary>
    [Fact]
    public void Values_may_be_cut_anywhere()
    {
        var random = new Random(7);
        byte[] request =
        [
            0x30, 38, 2, 1, 1, 4, 6, .. "public"u8,
            0xA0, 25, 2, 4, 0, 0, 0, 9, 2, 1, 0, 2, 1, 0, 0x30, 11, 0x30, 9, 6, 5, 43, 6, 1, 2, 1, 5, 0,
        ];
        var frames = Enumerable.Range(0, 160).Select(i =>
        {
            var message = request.ToArray();
            if (i % 3 == 1) message[3] = (byte)random.Next(8);
            if (i % 3 == 2) message[6] = (byte)random.Next(i % 2 == 0 ? 140 : 9);
            if (i % 7 == 0) message[random.Next(message.Length)] ^= (byte)(1 << random.Next(8));
            var cut = i % 4 == 0 ? message : message[..random.Next(message.Length)];
            byte[] bytes = Packet.Ethernet(s_source, s_destination)
                .IPv4(IPv4Address.Parse("10.0.0.1"), IPv4Address.Parse("10.0.0.2")).Udp(1000, 161).Payload(cut);
            return new IncomingFrame(i % 2, bytes, (ulong)(1000 + i));
        }).ToList();
        Check(() => new SnmpGuard(), frames);
    }

    /// <summary>
    /// Headers and options behind them that are cut anywhere, say other lengths than they have, or do not end.
    /// </summary>
    [Fact]
    public void A_walk_may_follow_another()
    {
        var random = new Random(13);
        byte[] extensions = [60, 1, 1, 12, .. new byte[12], 44, 0, 1, 4, 0, 0, 0, 0, 58, 0, 0, 1, 0, 0, 0, 1];
        byte[] message = [134, 0, 0, 0, 64, 0, 7, 8, .. new byte[8], 1, 1, .. new byte[6], 3, 4, .. new byte[30]];
        var frames = Enumerable.Range(0, 200).Select(i =>
        {
            byte[] headers = i % 5 == 4 ? [] : [.. extensions];
            if (i % 5 == 1) headers[1 + random.Next(2) * 16] = (byte)random.Next(8);
            byte[] all = [.. headers, .. message];
            if (i % 3 == 1) all[^(random.Next(56) + 1)] = (byte)random.Next(9);
            if (i % 7 == 0) all[random.Next(all.Length)] ^= (byte)(1 << random.Next(8));
            byte[] bytes = Packet.Ethernet(s_source, s_destination)
                .IPv6(
                    IPv6Address.Parse("fe80::1"), IPv6Address.Parse("ff02::1"),
                    nextHeader: (byte)(i % 5 == 4 ? 58 : 0))
                .Payload(i % 4 == 0 ? all : all[..random.Next(all.Length)]);
            return new IncomingFrame(i % 2, bytes, (ulong)(1000 + i));
        }).ToList();
        Check(() => new RouterGuard(0), frames);
    }

    /// <summary>A hash and a number are used behind the parser, whose state is wider than any value.</summary>
    [Fact]
    public void Names_and_numbers_may_be_cut_anywhere()
    {
        var random = new Random(17);
        var frames = Enumerable.Range(0, 200).Select(i =>
        {
            var text = System.Text.Encoding.ASCII.GetBytes(
                $"{new string('n', random.Next(40))}:{random.NextInt64(1L << 34)}|c");
            if (i % 5 == 0) text[random.Next(text.Length)] = (byte)"0:|cg"[random.Next(5)];
            byte[] bytes = Packet.Ethernet(s_source, s_destination)
                .IPv4(IPv4Address.Parse("10.0.0.1"), IPv4Address.Parse("10.0.0.2")).Udp(1000, 8125)
                .Payload(i % 3 == 0 ? text[..random.Next(text.Length)] : text);
            return new IncomingFrame(i % 2, bytes, (ulong)(1000 + i));
        }).ToList();
        Check(() => new StatisticsCounter(), frames);
    }

    private static void Check(Func<Service> make, List<IncomingFrame> frames, params int[] busBits) => Ladder.Check(
        make, frames, new LadderOptions
        {
            BusBits = busBits is not [] ? busBits : Tier.IsAll ? [64, 128, 256, 512] : [64, 256],
            Layouts = [Layout.Pipeline],
            Outside = OutsideSimulators.None,
        });
}
