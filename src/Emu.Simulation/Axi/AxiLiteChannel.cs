namespace Emu.Simulation;

/// <summary>One of the five channels of AXI4-Lite, as it is in the cycle before the next edge.</summary>
/// <param name="Name">The prefix of its signals, such as <c>s_axi_aw</c>.</param>
/// <param name="Valid">The word of its valid.</param>
/// <param name="Ready">The word of its ready.</param>
/// <param name="Payload">The words of what it carries, each with its name and bits.</param>
internal sealed record AxiLiteChannel(
    string Name, ulong[] Valid, ulong[] Ready, (string Name, ulong[] Words, int Width)[] Payload)
{
    public bool IsValid => Valid[0] != 0;

    public bool IsTransfer => IsValid && Ready[0] != 0;

    /// <summary>A channel that the master sends on.</summary>
    public static AxiLiteChannel In(Simulator simulator, string channel, params string[] payload) =>
        new("s_axi_" + channel,
            simulator.Input($"s_axi_{channel}valid"), simulator.Output($"s_axi_{channel}ready"),
            [.. payload.Select(p =>
                (p, simulator.Input("s_axi_" + p), simulator.Design.Inputs.First(i => i.Name == "s_axi_" + p).Width))]);

    /// <summary>A channel that the design sends on.</summary>
    public static AxiLiteChannel Out(Simulator simulator, string channel, params string[] payload) =>
        new("s_axi_" + channel,
            simulator.Output($"s_axi_{channel}valid"), simulator.Input($"s_axi_{channel}ready"),
            [.. payload.Select(p =>
                (p, simulator.Output(
                    "s_axi_" + p), simulator.Design.Outputs.First(o => o.Name == "s_axi_" + p).Width))]);
}

/// <summary>The five channels of AXI4-Lite.</summary>
internal sealed class AxiLiteChannels(Simulator simulator)
{
    public AxiLiteChannel WriteAddress { get; } = AxiLiteChannel.In(simulator, "aw", "awaddr");

    public AxiLiteChannel WriteData { get; } = AxiLiteChannel.In(simulator, "w", "wdata", "wstrb");

    public AxiLiteChannel WriteResponse { get; } = AxiLiteChannel.Out(simulator, "b", "bresp");

    public AxiLiteChannel ReadAddress { get; } = AxiLiteChannel.In(simulator, "ar", "araddr");

    public AxiLiteChannel ReadData { get; } = AxiLiteChannel.Out(simulator, "r", "rdata", "rresp");
}
