using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>The simulators of the field that a ladder has in each tier of <c>./emu test</c>.</summary>
internal static class TierOptions
{
    /// <summary>For a small service that shows one thing: Verilator takes longer to build than it has to run.</summary>
    public static OutsideSimulators Small =>
        Tier.IsFast ? OutsideSimulators.None : Tier.IsAll ? OutsideSimulators.All : OutsideSimulators.Icarus;

    /// <summary>
    /// For a large service: minutes for a build, or for what Icarus runs of it, are left to the last tier.
    /// </summary>
    public static OutsideSimulators Large => Tier.IsAll ? OutsideSimulators.All : OutsideSimulators.None;

    /// <summary>The options, without outside simulators where an answer has to be quick.</summary>
    public static LadderOptions InTier(this LadderOptions options) =>
        Tier.IsFast ? options with { Outside = OutsideSimulators.None } : options;
}
