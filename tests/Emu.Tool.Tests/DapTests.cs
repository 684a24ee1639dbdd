using System.Text;
using System.Text.Json;
using Emu.Direction.Editing;

namespace Emu.Tool.Tests;

/// <summary>The debug adapter as a program, and the debug type of VS Code.</summary>
public sealed class DapTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("emu-dap-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void Standard_output_has_messages_alone_and_says_why_it_does_not_attach()
    {
        var outcome = Adapter(
            Request(1, "initialize", """{"adapterID":"emu"}""")
            + Request(2, "attach", """{"service":"S","port":"raw:h","to":"","key":"no"}""")).Succeeded();
        Assert.Equal("", outcome.Error);
        Assert.StartsWith("Content-Length: ", outcome.Output);
        Assert.Contains("\"supportsLogPoints\":true", outcome.Output);
        Assert.Contains("\"command\":\"attach\",\"success\":false,\"message\":\"key: ", outcome.Output);
    }

    [Fact]
    public void What_is_no_message_is_a_failure() =>
        Adapter("hello\r\n\r\n").Refused(1, "dap: 'hello'", "Content-Length");

    [Fact]
    public void A_TCP_port_that_cannot_be_is_refused() =>
        Commands.Emu("dap", "--listen", "70000").Refused(2, "--listen", "65535");

    [Fact]
    public void The_debug_type_has_the_arguments_of_the_adapter()
    {
        using var package = JsonDocument.Parse(
            File.ReadAllText(Path.Combine(Commands.Root, "tools/vscode/package.json")));
        var type = package.RootElement.GetProperty("contributes").GetProperty("debuggers")[0];
        var attach = type.GetProperty("configurationAttributes").GetProperty("attach");
        var known = typeof(AttachArguments).GetProperties().Select(p => JsonNamingPolicy.CamelCase.ConvertName(p.Name));
        Assert.Equal(known.Order(), attach.GetProperty("properties").EnumerateObject().Select(p => p.Name).Order());
        Assert.True(File.Exists(Path.Combine(Commands.Root, "tools/vscode", type.GetProperty("program").GetString()!)));
    }

    private static string Request(int number, string command, string arguments)
    {
        var json = $$"""{"seq":{{number}},"type":"request","command":"{{command}}","arguments":{{arguments}}}""";
        return $"Content-Length: {Encoding.UTF8.GetByteCount(json)}\r\n\r\n{json}";
    }

    /// <summary>Runs the adapter with an editor that says this.</summary>
    private Outcome Adapter(string input)
    {
        var file = Path.Combine(_folder.FullName, "input");
        File.WriteAllText(file, input);
        return Commands.Run("sh", "-c", $"exec dotnet {Commands.EmuAssembly} dap < {file}");
    }
}
