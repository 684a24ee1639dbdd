using System.Text.Json.Serialization;

namespace Emu.Tool;

/// <summary>The result of a <c>run.py</c> whose expectations a simulated project has met.</summary>
/// <param name="Service">The service, as it was named.</param>
/// <param name="Board">The board.</param>
/// <param name="Simulator">The simulator.</param>
/// <param name="Script">The file.</param>
/// <param name="FramesSent">Frames that it sends.</param>
/// <param name="FramesExpected">Frames that it expects, all of which have left.</param>
/// <param name="Registers">Reads of registers.</param>
internal sealed record NetFpgaResult(
    string Service, string Board, string Simulator, string Script, int FramesSent, int FramesExpected, int Registers)
{
    /// <summary>The result as a line for a person.</summary>
    [JsonIgnore]
    public string Text =>
        $"{Service} on {Board}: {Script}: {FramesSent} frames sent, {FramesExpected} as expected, "
        + $"{Registers} registers as well ({Simulator})";
}
