using Emu.Compiler.Layouts;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// The engine with one copy of each method that is called more than once, wherever that can be; or the pipeline whose
/// slow path is such an engine, where there is one.
/// </summary>
/// <param name="busBits">Bits of <c>tdata</c>.</param>
/// <param name="stalls">True for a source and a sink that pause at random.</param>
/// <param name="layout">The layout.</param>
internal sealed class SharedCallRung(int busBits = 256, bool stalls = false, Layout layout = Layout.Engine)
    : HardwareRung(
        $"the {(layout == Layout.Engine ? "engine" : "slow path")} with shared calls, {busBits} bits", layout, busBits,
        stalls ? StallPattern.Random(3, 0.3) : null, stalls ? StallPattern.Random(5, 0.4) : null, isOptional: true,
        isPatient: true)
{
    /// <summary>Every method.</summary>
    public static Predicate<string> All { get; } = _ => true;

    protected override HardwareOptions Options(Subject subject) => base.Options(subject) with { SharedCalls = All };
}
