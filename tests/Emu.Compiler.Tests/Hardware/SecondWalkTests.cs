using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// Loops over a frame that begin with what tables say of earlier loops, and loops that read a table word by word.
/// </summary>
public sealed class SecondWalkTests
{
    private static readonly Dictionary<string, Func<Service>> s_services = new()
    {
        ["LookedUpLength"] = () => new LookedUpLength(),
        ["StoredName"] = () => new StoredName(),
        ["AnyStart"] = () => new AnyStart(),
    };

    private static readonly Dictionary<string, Subject> s_subjects =
        s_services.ToDictionary(service => service.Key, service => new Subject(service.Value));

    public static TheoryData<string> Services => [.. s_services.Keys];

    [Theory]
    [MemberData(nameof(Services))]
    public void Each_exit_and_each_fault_is_where_it_is_in_CSharp(string service) =>
        Agreement.CheckPipelines(s_subjects[service], Traffic(400));

    [Theory]
    [MemberData(nameof(Services))]
    public void There_is_no_slow_path(string service)
    {
        var compiled = s_subjects[service].Circuit(new HardwareOptions(), Layout.Pipeline);
        Assert.False(
            compiled.Circuit.Design.Sections.Exists(section => section.Title == "states of the program"),
            string.Join('\n', compiled.Bounds.Select(bound => $"{bound.What}, {bound.Location}")));
    }

    [Theory]
    [MemberData(nameof(Services))]
    public void Reset_in_the_middle_of_a_frame_leaves_a_clean_machine(string service) =>
        ResetInAFrame.Check(s_subjects[service], Traffic(60));

    [Theory]
    [MemberData(nameof(Services))]
    [Slow("Icarus")]
    public void It_is_in_Icarus(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(60), OutsideSimulator.Icarus);

    [Theory]
    [MemberData(nameof(Services))]
    [Slow("Verilator")]
    public void It_is_in_Verilator(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(60), OutsideSimulator.Verilator);

    /// <summary>
    /// Names of the table, some of them with a byte that is another or cut off, in frames of all lengths; some are
    /// longer than any may be.
    /// </summary>
    private static List<IncomingFrame> Traffic(int count)
    {
        var random = new Random(23);
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            var name = StoredNames.Name(i % StoredNames.Count);
            var bytes = new byte[i % 50 == 49 ? 1600 : Math.Max(14, 15 + name.Length + random.Next(-4, 60))];
            random.NextBytes(bytes);
            // A part of the table from any place on, as far as it goes.
            var (start, matches) = (i % (StoredNames.Bytes.Length + 3), random.Next(70));
            (bytes[0], bytes[1]) = ((byte)start, (byte)random.Next(64));
            if (i % 2 == 0)
            {
                for (var at = 0; at < matches && 17 + at < bytes.Length; at++)
                    bytes[17 + at] = start + at < StoredNames.Bytes.Length ? StoredNames.Bytes[start + at] : (byte)0;
                return new IncomingFrame(random.Next(Subject.Ports), bytes, 1000 * (ulong)i);
            }
            if (bytes.Length > 14) bytes[14] = (byte)name.Length;
            for (var at = 0; at < name.Length && 15 + at < bytes.Length; at++) bytes[15 + at] = name[at];
            if (random.Next(4) == 0 && bytes.Length > 16) bytes[random.Next(14, bytes.Length)]++;
            return new IncomingFrame(random.Next(Subject.Ports), bytes, 1000 * (ulong)i);
        })];
    }
}
