using System.Globalization;
using System.Text;

namespace Emu.Tool;

/// <summary>
/// The frames of a project's simulation, and what a run makes of them, as calls of a <c>run.py</c> of NetFPGA.
/// </summary>
internal static class NetFpgaTest
{
    /// <summary>The prefix of the functions that say where the registers of the output port lookup are.</summary>
    public const string RegisterPrefix = "NFPLUS_OUTPUT_PORT_LOOKUP_0_";

    /// <summary>The file in a project.</summary>
    public const string Path = "test/both_emu_frames/run.py";

    /// <summary>The calls that send each frame, and expect what leaves for it.</summary>
    /// <param name="macs">The service's first ports, which are MACs; the one behind them is the host.</param>
    /// <param name="steps">The frames and what leaves for each, in their order.</param>
    public static string Frames(int macs, IEnumerable<BoardStep> steps)
    {
        var text = new StringBuilder();
        foreach (var step in steps)
        {
            text.Append(CultureInfo.InvariantCulture, $"at({step.Time})\n");
            Call(text, "send", macs, step.Port, step.Bytes);
            foreach (var (port, frame) in step.Sent) Call(text, "expect", macs, port, frame);
            text.Append("nftest_barrier()\n\n");
        }
        return text.ToString().TrimEnd('\n');
    }

    /// <summary>The elements of a list that read registers and expect their values.</summary>
    /// <param name="registers">The values by the names that the functions have behind their prefix.</param>
    public static string Reads(IEnumerable<(string Macro, uint Value)> registers) =>
        string.Join('\n', registers.Select(register =>
            $"    nftest_regread_expect({RegisterPrefix}{register.Macro}(), {register.Value}),"));

    private static void Call(StringBuilder text, string what, int macs, int port, byte[] frame)
    {
        var (kind, number) = port < macs ? ("phy", port) : ("dma", 0);
        text.Append(CultureInfo.InvariantCulture, $"nftest_{what}_{kind}('nf{number}', one(frame(\n")
            .Append(CultureInfo.InvariantCulture, $"    '{Convert.ToHexStringLower(frame)}')))\n");
    }
}
