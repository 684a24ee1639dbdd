using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;
using Emu.Direction.Directing;
using Emu.Testing;

namespace Emu.Direction.Tests;

/// <summary>The examples of docs/direction-packets.md are what director and controller write.</summary>
public sealed partial class PacketPageTests
{
    private const ulong Time = 1_700_000_000_000_000_000;

    [Fact]
    public void The_examples_of_the_page_are_the_packets_of_a_session()
    {
        var run = new ServiceRun(new DirectedCounter());
        var director = new DirectorSession(
            DirectedCounter.Key, DirectedCounter.Address, new MacAddress(0x0200_0000_0001), 7);
        var begin = director.Begin(1);
        var begun = Assert.Single(run.Receive(0, begin, Time)).Bytes;
        director.Open(director.Parse(begun)!.Number);
        var write = director.Write(DirectedVariable.HashOf("Frames[]"), 2, 41);
        var written = Assert.Single(run.Receive(0, write, Time + Controller.Spacing)).Bytes;
        Assert.Equal([Text(begin), Text(begun), Text(write), Text(written)], Examples());
    }

    private static string Text(byte[] frame) =>
        string.Join(
            '\n',
            frame.Skip(14).Chunk(16).Select((line, i) =>
                (16 * i).ToString("x2", CultureInfo.InvariantCulture) + "  "
                + string.Join(' ', line.Select(b => b.ToString("x2", CultureInfo.InvariantCulture)))));

    private static IEnumerable<string> Examples() =>
        Hex().Matches(File.ReadAllText(Path.Combine(Root(), "docs", "direction-packets.md")))
            .Select(match => match.Groups[1].Value.TrimEnd());

    private static string Root([CallerFilePath] string thisFile = "") =>
        Path.GetFullPath(Path.Combine(Path.GetDirectoryName(thisFile)!, "..", ".."));

    [GeneratedRegex("```\n(00  [0-9a-f \n]+)```")]
    private static partial Regex Hex();
}
