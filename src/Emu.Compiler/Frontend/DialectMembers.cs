using KiwiSystem;

namespace Emu.Compiler.Frontend;

/// <summary>Members of the dialect that do not compile, each with what does in its place.</summary>
internal static class DialectMembers
{
    private const string Call = "call a method, or let a thread serve requests by a handshake of fields";

    private const string Index = "use an index into an array";

    private const string Lights = "write an output of eight bits";

    private const string Property = "assert it in each cycle, with Debug.Assert and what was kept of the cycle before";

    private const string Body = "write the method in C#";

    private static readonly Dictionary<string, string> s_instead = new()
    {
        [nameof(Kiwi.setGpioLeds8)] = Lights,
        [nameof(hpr_primitives.hpr_sysleds)] = Lights,
        [nameof(Kiwi.next)] = Property,
        [nameof(Kiwi.until)] = Property,
        [nameof(Kiwi.wuntil)] = Property,
        [nameof(Kiwi.CTLInternalAttribute)] = Property,
        [nameof(Kiwi.HprPrimitiveFunctionAttribute)] = Body,
        [nameof(Kiwi.RemoteAttribute)] = Call,
        [nameof(Kiwi.RemoteClassAttribute)] = Call,
        [nameof(Kiwi.ServerAttribute)] = Call,
        [nameof(Kiwi.StubAttribute)] = Call,
        [nameof(Kiwi.PipelinedAcceleratorAttribute)] = "write its stages, with a pause behind each",
        [nameof(Kiwi.ClockDomAttribute)] = "its clock is clk, and its reset is reset",
        [nameof(Kiwi.OutboardArrayAttribute)] = "use an array, or ports towards a memory outside",
        [nameof(Kiwi.AssertCTLAttribute)] = "use Debug.Assert",
        [nameof(Kiwi.ObjectHandler<>)] = Index,
        [nameof(Kiwi.ObjectHandler<>.size)] = Index,
        [nameof(Kiwi.ObjectHandler<>.handleArith)] = Index,
    };

    /// <summary>A clause that says what to write in place of a member or an attribute.</summary>
    public static string Instead(string name) => s_instead.GetValueOrDefault(name, "write it without");
}
