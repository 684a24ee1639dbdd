using System.Text.Json.Serialization;

namespace Emu.Tool;

/// <summary>The result of a project that does in simulation what a run of its service does.</summary>
/// <param name="Service">The service, as it was named.</param>
/// <param name="Board">The board.</param>
/// <param name="Simulator">The simulator.</param>
/// <param name="HasShellQueues">True where arbiter and queues were those of the shell's clone.</param>
/// <param name="FramesIn">Frames that came in, one at a time.</param>
/// <param name="FramesOut">Frames that left, of all ports.</param>
/// <param name="Ports">The ports of the service.</param>
/// <param name="Registers">Registers that were compared.</param>
/// <param name="Cycles">The cycles of the simulation.</param>
/// <param name="Rates">Frames at the pace of the lines.</param>
internal sealed record BoardTestResult(
    string Service, string Board, string Simulator, bool HasShellQueues, int FramesIn, int FramesOut, int Ports,
    int Registers, long Cycles, IReadOnlyList<BoardRate> Rates)
{
    /// <summary>The result as lines for a person.</summary>
    [JsonIgnore]
    public string Text => string.Join('\n', Rates.Select(rate => rate.Text).Prepend(
        $"{Service} on {Board}: {FramesIn} frames in, {FramesOut} out by {Ports} ports, as a run has them; "
        + $"{Registers} registers as well; {Cycles:N0} cycles ({Simulator}"
        + $"{(HasShellQueues ? ", the shell's own arbiter and queues" : "")})"));
}
