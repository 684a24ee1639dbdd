using System.Runtime.CompilerServices;
using Emu.Compiler;
using Emu.Compiler.Layouts;

namespace Emu.Fuzz;

/// <summary>The circuit of a service in the fastest layout, made once.</summary>
internal static class FastestCircuit
{
    private static readonly ConditionalWeakTable<Subject, CompiledService> s_circuits = [];

    public static CompiledService Of(Subject subject) =>
        s_circuits.GetValue(
            subject, s => s.Circuit(new HardwareOptions { Ports = Subject.Ports }, null));
}
