using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>The system's ping.</summary>
internal static class PingExtensions
{
    /// <summary>Pings, and expects every reply.</summary>
    /// <returns>The output of ping.</returns>
    public static string Ping(this TestHost host, string to, params string[] options)
    {
        string[] arguments = ["-n", "-W", "60", .. options, to];
        var result = host.Run("ping", arguments, Until.Limit, TestContext.Current.CancellationToken).EnsureSuccess();
        Assert.Contains(" 0% packet loss", result.Output);
        return result.Output;
    }

    /// <summary>Runs a command to its end and expects exit code 0.</summary>
    /// <returns>Its standard output.</returns>
    public static string Do(this TestHost host, string program, params string[] arguments) =>
        host.Run(program, arguments, Until.Limit, TestContext.Current.CancellationToken).EnsureSuccess().Output;
}
