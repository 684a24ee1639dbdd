using System.Globalization;
using Emu.Testing;

namespace Emu.Bench;

/// <summary>Runs bench/native/generate.c.</summary>
/// <param name="seconds">The seconds that each measurement takes.</param>
internal sealed class Generator(double seconds)
{
    private static readonly TimeSpan s_slack = TimeSpan.FromSeconds(20);

    private readonly string _program = NativeProgram.Build("generate");

    /// <summary>Sends as fast as it can.</summary>
    /// <param name="place">Any namespace.</param>
    /// <param name="length">Bytes of a frame.</param>
    /// <param name="flows">They take turns.</param>
    /// <param name="process">Whose CPU time is measured too; 0 for none.</param>
    public Load Run(TestHost place, int length, IEnumerable<Flow> flows, int process = 0) =>
        Run(place, $"{length}", flows, process);

    /// <summary>The same with frames from a file, a line of hexadecimal digits each.</summary>
    public Load RunFile(TestHost place, string path, IEnumerable<Flow> flows) =>
        Run(place, $"@{path}", flows, process: 0);

    private Load Run(TestHost place, string frames, IEnumerable<Flow> flows, int process)
    {
        string[] arguments =
        [
            _program, frames, seconds.ToString(CultureInfo.InvariantCulture), $"{process}",
            .. flows.SelectMany(f => new[] { f.From.Namespace, f.FromInterface, f.To.Namespace, f.ToInterface }),
        ];
        var result =
            place.Run(Pinned.Program, Pinned.Arguments(Pinned.GeneratorCore, arguments), s_slack).EnsureSuccess();
        var numbers = result.Output.Split(' ')
            .Select(text => double.Parse(text, CultureInfo.InvariantCulture)).ToArray();
        return new Load(numbers[0], numbers[1], numbers[2], numbers[3], numbers.ElementAtOrDefault(4));
    }
}

/// <summary>From one interface to another.</summary>
internal readonly record struct Flow(TestHost From, string FromInterface, TestHost To, string ToInterface);

/// <summary>The measurements of the generator.</summary>
/// <param name="Seconds">The duration.</param>
/// <param name="Sent">Frames.</param>
/// <param name="Arrived">Frames.</param>
/// <param name="GeneratorCpu">Seconds of the generator, and of what the kernel did for its frames meanwhile.</param>
/// <param name="ServiceCpu">Seconds of the process that it was to watch.</param>
internal readonly record struct Load(
    double Seconds, double Sent, double Arrived, double GeneratorCpu, double ServiceCpu)
{
    /// <summary>Frames that arrived, a second.</summary>
    public double Rate => Arrived / Seconds;

    /// <summary>Frames that were sent, a second.</summary>
    public double SentRate => Sent / Seconds;
}
