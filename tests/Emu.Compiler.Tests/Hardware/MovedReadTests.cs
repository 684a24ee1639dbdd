using System.Buffers.Binary;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Reads and checksums behind a header of computed length that was taken off the frame.</summary>
public sealed class MovedReadTests
{
    private static readonly Dictionary<string, Subject> s_subjects = new()
    {
        ["InnerHop"] = new Subject(() => new InnerHop()),
        ["CheckedHop"] = new Subject(() => new CheckedHop()),
        ["UncheckedHop"] = new Subject(() => new UncheckedHop()),
        ["JoinedHops"] = new Subject(() => new JoinedHops()),
        ["FilledHop"] = new Subject(() => new FilledHop()),
        ["CutHop"] = new Subject(() => new CutHop()),
    };

    public static TheoryData<string> Services => [.. s_subjects.Keys];

    [Theory]
    [MemberData(nameof(Services))]
    public void Each_byte_and_each_fault_is_as_in_CSharp(string service)
    {
        var result = Agreement.CheckBuses(s_subjects[service], Traffic(service, 170));
        Assert.InRange(result.Sent, 35, 170);
    }

    /// <summary>Other frames are deferred where they have too few of the bytes that are read.</summary>
    [Theory]
    [InlineData("InnerHop")]
    [InlineData("CheckedHop")]
    [InlineData("JoinedHops")]
    [InlineData("FilledHop")]
    [InlineData("CutHop")]
    public void Frames_whose_bytes_came_with_them_are_the_pipeline_s(string service)
    {
        var compiled = s_subjects[service].Circuit(new HardwareOptions(), null);
        Assert.Equal((Layout.Pipeline, 2), (compiled.Layout, compiled.Options.Interval));
        Assert.Equal(
            service is "FilledHop" or "CutHop" ? [MovedReads.MayBeFilled] : [],
            compiled.SlowPaths.Select(exit => exit.Reason).Distinct());
    }

    [Theory]
    [MemberData(nameof(Services))]
    [Slow("Icarus")]
    public void It_is_in_Icarus(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(service, 25), OutsideSimulator.Icarus);

    /// <summary>
    /// Packets of each length from none on, behind headers of any length, padded or not; some that say that they are
    /// longer than the frame, or shorter than their header, and some that are cut.
    /// </summary>
    private static List<IncomingFrame> Traffic(string service, int count)
    {
        var random = new Random(47);
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            var length = i < 130 ? i % 65 : random.Next(i % 10 == 0 ? 1200 : 100);
            var isInside = service is "CheckedHop" or "UncheckedHop";
            var (kind, words) = (random.Next(4), random.Next(i % 3 == 0 ? 64 : 6));
            var header = isInside ? random.Next(i % 3 == 0 ? 128 : 20) : 4 * words;
            if (service == "JoinedHops") header = kind switch { 1 => 4 * words, 2 => 4 * words + 8, _ => 0 };
            var frame = new byte[14 + length + header + (i % 2 == 0 ? random.Next(60) : 0)];
            random.NextBytes(frame);
            var ethernet = isInside ? 0 : header;
            var said = length + (i % 16) switch { 15 => 9, 14 => -19, _ => 0 };
            if (length >= 20) WriteHeader(frame.AsSpan(header + 14), said, random);
            if (isInside && header > 0) frame[14] = (byte)(random.Next(2) << 7 | header);
            else if (!isInside)
            {
                if (header > 0 || service != "JoinedHops") frame[0] = (byte)(frame[0] & ~3 | kind);
                else frame[0] &= 0xFC;
                if (ethernet > 0 || kind is 1 or 2) frame[1] = (byte)(frame[1] & 0xC0 | words);
                if (header > 5) frame[5] = (byte)(frame[5] & 0xC0 | words);
                if (header == 0) frame[1] &= 0xC0;
            }
            if (i % 13 == 12) frame = frame[..random.Next(14, frame.Length + 1)];
            return new IncomingFrame(random.Next(Subject.Ports), frame, 1000 * (ulong)i);
        })];
    }

    /// <summary>The header of a packet without options, with its checksum, seldom a wrong one.</summary>
    private static void WriteHeader(Span<byte> ip, int length, Random random)
    {
        (ip[0], ip[1], ip[8]) = (random.Next(12) == 0 ? (byte)0x46 : (byte)0x45, 0, (byte)random.Next(5));
        BinaryPrimitives.WriteUInt16BigEndian(ip[2..], (ushort)Math.Max(0, length));
        ip[10..12].Clear();
        var sum = InternetChecksum.Compute(ip[..20]);
        BinaryPrimitives.WriteUInt16BigEndian(ip[10..], (ushort)(sum + random.Next(8) / 7));
    }
}
