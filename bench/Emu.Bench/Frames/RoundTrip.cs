using System.Globalization;
using Emu.Testing;

namespace Emu.Bench;

/// <summary>Runs bench/native/roundtrip.c.</summary>
/// <param name="seconds">The seconds that each measurement takes.</param>
internal sealed class RoundTrip(double seconds)
{
    private static readonly TimeSpan s_slack = TimeSpan.FromSeconds(20);

    private readonly string _program = NativeProgram.Build("roundtrip");

    /// <summary>
    /// Sends a frame from one host, and waits for its answer, of the device or of another host, again and again.
    /// </summary>
    /// <param name="near">Who sends.</param>
    /// <param name="far">Who turns round.</param>
    /// <param name="exchange">The frame, and what comes of it.</param>
    public Delay Run(TestHost near, TestHost far, Exchange exchange)
    {
        string[] turning = exchange.Passed is { } passed ? [far.Namespace, "eth0", passed] : [];
        string[] arguments =
        [
            _program, seconds.ToString(CultureInfo.InvariantCulture), near.Namespace, "eth0",
            Convert.ToHexString(exchange.Request), exchange.Answer, .. turning,
        ];
        var result =
            near.Run(Pinned.Program, Pinned.Arguments(Pinned.GeneratorCore, arguments), s_slack).EnsureSuccess();
        var numbers = result.Output.Split(' ')
            .Select(text => double.Parse(text, CultureInfo.InvariantCulture)).ToArray();
        return new Delay(numbers[0], numbers[1], numbers[2], numbers[3]);
    }
}

/// <summary>The delays of answers.</summary>
/// <param name="Answered">Requests.</param>
/// <param name="Lost">Requests without an answer.</param>
/// <param name="Median">Microseconds, there and back.</param>
/// <param name="Percentile99">Microseconds.</param>
internal readonly record struct Delay(double Answered, double Lost, double Median, double Percentile99);
