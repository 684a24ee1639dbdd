using System.Runtime.CompilerServices;
using Emu.Direction.Directing;
using Emu.Hosting;
using Emu.Protocols.Tests;
using Emu.Testing;

namespace Emu.Direction.Tests;

/// <summary>The dissector for Wireshark sees the fields that the director writes.</summary>
[Slow("tshark")]
public sealed class DissectorTests
{
    [Fact]
    public void Tshark_shows_the_fields_of_a_request_and_its_reply()
    {
        OutsideTool.Require("tshark", "tshark", "tshark", "--version");
        var run = new ServiceRun(new DirectedCounter());
        var director = new DirectorSession(
            DirectedCounter.Key, DirectedCounter.Address, new MacAddress(0x0200_0000_0001), 7);
        var begin = director.Begin(1);
        var begun = Assert.Single(run.Receive(0, begin)).Bytes;
        director.Open(director.Parse(begun)!.Number);
        var write = director.Write(DirectedVariable.HashOf("Frames[]"), 2, 41);
        var written = Assert.Single(run.Receive(0, write, 2 * Controller.Spacing)).Bytes;

        string[] names = ["reply", "kind", "status", "session", "sequence", "index", "value", "width", "elements"];
        Assert.Equal(
            [
                "0,1,0,7,0,0,00000000000000000000000000000000,0,0",
                "1,1,0,7,0,0,00000000000000000000000000000000,0,0",
                "0,5,0,7,1,2,00000000000000000000000000000029,0,0",
                "1,5,0,7,1,2,00000000000000000000000000000029,32,8",
            ],
            Dissected([begin, begun, write, written], names));
    }

    private static string[] Dissected(byte[][] frames, string[] names)
    {
        var file = Path.GetTempFileName();
        try
        {
            using (var writer = CaptureWriter.Create(file))
            {
                var captured = writer.AddInterface("direction");
                foreach (var frame in frames) writer.Write(captured, frame, 0);
            }
            return OutsideTool.Run(
                "tshark",
                [
                    "-X", $"lua_script:{Script()}", "-r", file, "-T", "fields", "-E", "separator=,",
                    .. names.SelectMany(name => (string[])["-e", $"emu_direction.{name}"]),
                ])
                .Split('\n', StringSplitOptions.RemoveEmptyEntries)
                .Select(line => line.Replace("True", "1", StringComparison.Ordinal))
                .Select(line => line.Replace("False", "0", StringComparison.Ordinal))
                .ToArray();
        }
        finally
        {
            File.Delete(file);
        }
    }

    private static string Script([CallerFilePath] string thisFile = "") =>
        Path.GetFullPath(Path.Combine(Path.GetDirectoryName(thisFile)!, "../../tools/wireshark/direction.lua"));
}
