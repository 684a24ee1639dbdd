using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>A service as the program that users start.</summary>
internal static class ServiceProgram
{
    // tests/Emu.Network.Tests/bin/Release/net10.0
    private static readonly string s_built = AppContext.BaseDirectory.TrimEnd('/');

    /// <summary>The folder of the repository.</summary>
    public static string Root { get; } = System.IO.Path.GetFullPath(System.IO.Path.Combine(s_built, "../../../../.."));

    /// <summary>The command <c>emu</c>.</summary>
    public static string Emu { get; } = Built("tools/Emu.Tool", "emu");

    /// <summary>The assembly of a service.</summary>
    public static string Path(string service) => Built($"services/{service}", service);

    /// <summary>Starts it in a namespace and waits until its ports are open.</summary>
    public static RunningCommand StartService(this TestHost host, string service, params IEnumerable<string> arguments)
    {
        var command = host.Start("dotnet", [Path(service), .. arguments]);
        command.WaitForLine("ready: ", Until.Limit, TestContext.Current.CancellationToken);
        return command;
    }

    /// <summary>Sends a signal to the process itself.</summary>
    public static void Signal(this RunningCommand command, TestHost host, string signal) =>
        host.Do("sh", "-c", $"kill -{signal} {command.ProcessId}");

    /// <summary>An assembly of the repository, of the same configuration as this test's.</summary>
    private static string Built(string project, string name) =>
        System.IO.Path.Combine(
            Root, project, System.IO.Path.GetRelativePath(System.IO.Path.Combine(s_built, "../../.."), s_built),
            $"{name}.dll");
}
