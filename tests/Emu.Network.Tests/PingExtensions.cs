using System.Text.RegularExpressions;
using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>The system's ping.</summary>
internal static partial class PingExtensions
{
    /// <summary>Pings, and expects every reply, in order and once.</summary>
    /// <remarks>
    /// With a deadline ping waits until as many have come as it was to send, and sends more meanwhile: those that are
    /// late on a busy machine are not lost, and one that is lost leaves a gap.
    /// </remarks>
    /// <returns>The output of ping.</returns>
    public static string Ping(this TestHost host, string to, params string[] options)
    {
        string[] arguments = ["-n", "-w", "60", .. options, to];
        var result = host.Run("ping", arguments, Until.Limit, TestContext.Current.CancellationToken).EnsureSuccess();
        var received = Replies().Matches(result.Output).Select(reply => int.Parse(reply.Groups[1].ValueSpan)).ToList();
        Assert.NotEmpty(received);
        Assert.Equal(Enumerable.Range(1, received.Count), received);
        return result.Output;
    }

    [GeneratedRegex("icmp_seq=([0-9]+) ")]
    private static partial Regex Replies();

    /// <summary>Runs a command to its end and expects exit code 0.</summary>
    /// <returns>Its standard output.</returns>
    public static string Do(this TestHost host, string program, params string[] arguments) =>
        host.Run(program, arguments, Until.Limit, TestContext.Current.CancellationToken).EnsureSuccess().Output;
}
