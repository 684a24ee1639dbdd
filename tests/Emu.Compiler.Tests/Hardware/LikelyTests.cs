using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Loops over the payload behind which frames likely come to the slow path.</summary>
public sealed class LikelyTests
{
    private static readonly Dictionary<string, Func<Service>> s_services = new()
    {
        ["WordIndex"] = () => new WordIndex(),
        ["FavouriteWord"] = () => new FavouriteWord(),
        ["WordNotes"] = () => new WordNotes(),
    };

    private static readonly Dictionary<string, Subject> s_subjects =
        s_services.ToDictionary(service => service.Key, service => new Subject(service.Value));

    public static TheoryData<string> Services => [.. s_services.Keys];

    [Fact]
    public void What_is_read_for_the_slow_path_is_read_there() =>
        Assert.False(Fast(new WordIndex()).Has(Opcode.FrameFold));

    [Fact]
    public void What_is_read_for_frames_that_leave_is_read_in_the_pipeline() =>
        Assert.True(Fast(new FavouriteWord()).Has(Opcode.FrameFold));

    [Fact]
    public void No_parser_is_built_for_empty_texts_alone() =>
        Assert.False(Fast(new WordNotes()).Has(Opcode.FrameFold));

    [Theory]
    [MemberData(nameof(Services))]
    public void It_does_the_same_on_every_rung(string service) => Agreement.Check(s_subjects[service], Traffic(300), [
        .. Ladder.Rungs.Skip(1),
        new HardwareRung("pipeline", Layout.Pipeline),
        new HardwareRung("pipeline, source stalls", Layout.Pipeline, source: StallPattern.Random(1, 0.4)),
        new HardwareRung("pipeline, 64 bits", Layout.Pipeline, busBits: 64, sink: StallPattern.Random(3, 0.4)),
        new HardwareRung("pipeline, 512 bits", Layout.Pipeline, busBits: 512, sink: StallPattern.Random(5, 0.4)),
    ]);

    [Theory]
    [MemberData(nameof(Services))]
    [Slow("Icarus")]
    public void It_does_in_Icarus(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(40), OutsideSimulator.Icarus);

    private static Function Fast(Service service)
    {
        var compiled = HardwareCompiler.Compile(service, new HardwareOptions(), Layout.Pipeline);
        Assert.Contains(compiled.Circuit.Design.Sections, section => section.Title == "states of the program");
        return compiled.Compilation.Fast!;
    }

    /// <summary>
    /// Words that are known, that are not, and that cannot be read; and other frames. First alternately, then in bursts
    /// of a kind.
    /// </summary>
    private static List<IncomingFrame> Traffic(int count)
    {
        var random = new Random(31);
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            var kind = i < count / 2 ? i % 4 : i / 9 % 4;
            var word = WordIndex.Words[random.Next(WordIndex.Words.Count)];
            var bytes = new byte[Math.Max(random.Next(14, 90), kind == 3 ? 14 : 17 + word.Length)];
            random.NextBytes(bytes.AsSpan(0, 13));
            bytes[13] = (byte)(kind == 3 ? 7 : 1);
            for (var at = 0; at < word.Length && 16 + at < bytes.Length; at++) bytes[16 + at] = (byte)word[at];
            if (kind == 1) bytes[16 + random.Next(word.Length)] = (byte)random.Next('a', 'z');
            if (kind == 2) bytes[16 + random.Next(word.Length)] = (byte)random.Next(2 * 'z');
            return new IncomingFrame(random.Next(Subject.Ports), bytes, 1000 * (ulong)i);
        })];
    }
}
