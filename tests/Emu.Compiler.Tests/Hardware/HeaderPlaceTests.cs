using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Reads at places that the header alone says: an entry of a number, or what is behind a field.</summary>
public sealed class HeaderPlaceTests
{
    private static readonly Dictionary<string, Subject> s_subjects = new()
    {
        ["IndexedEntry"] = new Subject(() => new IndexedEntry()),
        ["LengthField"] = new Subject(() => new LengthField()),
        ["EntryByKind"] = new Subject(() => new EntryByKind()),
        ["TwoEntries"] = new Subject(() => new TwoEntries()),
        ["WrittenEntry"] = new Subject(() => new WrittenEntry()),
    };

    public static TheoryData<string> Services => [.. s_subjects.Keys];

    [Theory]
    [MemberData(nameof(Services))]
    public void Each_byte_and_each_fault_is_where_it_is_in_CSharp(string service) =>
        Agreement.CheckBuses(s_subjects[service], Traffic(300));

    [Theory]
    [InlineData("IndexedEntry")]
    [InlineData("LengthField")]
    [InlineData("EntryByKind")]
    [InlineData("TwoEntries")]
    public void No_frame_is_deferred(string service)
    {
        var compiled = s_subjects[service].Circuit(new HardwareOptions(), null);
        Assert.Equal((Layout.Pipeline, 2), (compiled.Layout, compiled.Options.Interval));
        Assert.True(
            compiled.SlowPaths.Count == 0,
            string.Join('\n', compiled.SlowPaths.Select(exit => $"{exit.Reason}, {exit.Location}")));
        Assert.DoesNotContain(compiled.Circuit.Design.Sections, section => section.Title == "states of the program");
    }

    [Theory]
    [MemberData(nameof(Services))]
    public void Reset_in_the_middle_of_a_frame_leaves_a_clean_machine(string service) =>
        ResetInAFrame.Check(s_subjects[service], Traffic(60));

    [Theory]
    [MemberData(nameof(Services))]
    [Slow("Icarus")]
    public void It_is_in_Icarus(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(40), OutsideSimulator.Icarus);

    /// <summary>
    /// Frames that say places up to their end and behind it; some whose end is in an entry, some shorter than a header.
    /// </summary>
    private static List<IncomingFrame> Traffic(int count)
    {
        var random = new Random(43);
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            var frame = new byte[i % 12 == 11 ? random.Next(14, 40) : random.Next(40, i % 3 == 0 ? 1200 : 320)];
            random.NextBytes(frame);
            if (frame.Length > 15 && i % 5 > 0)
            {
                var (size, first) = (i % 5) switch { 1 => (16, 15), 2 => (8, 16), _ => (1, 15) };
                // The bytes of the last entry, or some of them, are the frame's last ones.
                var last = Math.Clamp((frame.Length - first) / size + random.Next(-2, 1), 0, 255);
                frame[i % 5 == 2 ? 15 : 14] = (byte)(i % 5 == 3 ? Math.Max(0, last - random.Next(8)) : last);
            }
            return new IncomingFrame(random.Next(Subject.Ports), frame, 1000 * (ulong)i);
        })];
    }
}
