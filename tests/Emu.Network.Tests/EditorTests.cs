using System.Text.Json;
using Emu.Direction.Tests.Editing;
using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>An editor's session with a switch between two hosts, by the test client of VS Code's protocol.</summary>
public sealed class EditorTests
{
    private const string Address = "02:00:00:00:00:ee";

    private static readonly string s_source =
        Path.Combine(ServiceProgram.Root, "services/LearningSwitch/LearningSwitch.cs");

    [Theory]
    [InlineData("run", false)]
    [InlineData("simulate", true)]
    public void An_editor_stops_a_switch_at_lines_of_CSharp(string target, bool isTcp)
    {
        Needs.Network("ping", "node");
        var packages = EditorPackages.Require();
        using var folder = new TemporaryFolder();
        File.WriteAllText(folder["key"], "00112233445566778899aabbccddeeff\n");
        var line = LineOf("Forwarded.Increment();");
        using var network = new TestNetwork();
        var (h1, h2) = (network.AddHost("h1", "10.0.0.1/24"), network.AddHost("h2", "10.0.0.2/24"));
        string[] ports = ["--port", $"raw:{network.Connect(h1)}", "--port", $"raw:{network.Connect(h2)}"];
        // A stop may last as long as a machine is slow: hosts that ask for each other would give up.
        Know(h1, h2);
        Know(h2, h1);
        using var program = network.Device.Start(
            "dotnet",
            [
                ServiceProgram.Emu, target, "LearningSwitch", .. ports, "--direct-key", folder["key"],
                "--direct-address", Address, "--direct",
                "print:Process,print:Forwarded,set:Process,set:Reserved,watch:Flooded,"
                + $"break:LearningSwitch.cs:{line}+frame.Length,"
                + $"break:LearningSwitch.cs:{LineOf("if (ethernet.Source.IsIndividual)")}",
            ]);
        program.WaitForLine("ready: ", Until.Limit, TestContext.Current.CancellationToken);

        using var server = isTcp ? h1.Start("dotnet", [ServiceProgram.Emu, "dap", "--listen", "0"]) : null;
        var port = server?.WaitForLine("ready: ", Until.Limit, TestContext.Current.CancellationToken).Split(':')[^1];
        File.WriteAllText(folder["adapter"], $"exec dotnet {ServiceProgram.Emu} dap\n");
        var given = JsonSerializer.Serialize(new
        {
            adapter = folder["adapter"],
            port = port is null ? (int?)null : int.Parse(port),
            attach = new
            {
                service = "LearningSwitch",
                port = $"raw:{h1.Interface}",
                to = Address,
                key = folder["key"],
                timeout = Until.Limit.TotalSeconds,
            },
            file = s_source,
            line,
            flooded = LineOf("Flooded.Increment();"),
            messages = folder["messages"],
            isLost = !isTcp,
        });
        using var editor = h1.Start(
            "env",
            [
                $"NODE_PATH={packages}/node_modules", "node", Path.Combine(EditorPackages.Source, "session.js"), given,
            ]);
        if (!isTcp)
        {
            editor.WaitForLine("attached", Until.Limit, TestContext.Current.CancellationToken);
            program.Dispose();
        }
        var ended = editor.WaitForExit(Until.Limit, TestContext.Current.CancellationToken);
        Assert.True(ended.ExitCode == 0, ended.Output + ended.Error);
        Assert.Equal("", EditorPackages.Check(packages, File.ReadLines(folder["messages"])));
    }

    private static void Know(TestHost host, TestHost other) => Assert.Equal(
        0,
        host.Run(
            "ip",
            ["neigh", "replace", $"{other.IPv4}", "lladdr", $"{other.Mac}", "dev", host.Interface!, "nud", "permanent"])
            .ExitCode);

    private static int LineOf(string code) =>
        File.ReadLines(s_source).TakeWhile(text => !text.Contains(code, StringComparison.Ordinal)).Count() + 1;
}
