namespace Emu;

/// <summary>
/// Marks a method whose circuit is a program of the clock level: C# that controls its cycles. .NET, and Emu's own
/// simulation, run the method's body, which remains what it means; a compiled circuit has the program's. The ladder
/// holds both equal.
/// </summary>
/// <remarks>
/// <para>The program has the input <c>valid</c> (1 in the cycle of a call), an input for each parameter, and outputs
/// for the result (<c>result</c>) and each <see langword="out"/> parameter. Names are those of C#, in lower case with
/// underscores. Outputs are 0 in cycles in which no result is due.</para>
/// <para>An instance method has state, the object's, which nothing but this method touches. A static one has none.
/// </para>
/// <para>A port of the program that is no part of a call is a pin: a port of the service's module, by the name of the
/// method's object, the method and the pin. <see cref="Model"/> says what stands there in a simulation.</para>
/// </remarks>
/// <param name="program">The class with the method that is marked <c>[Kiwi.HardwareEntryPoint]</c>.</param>
public sealed class ClockedAttribute(Type program) : CoreAttribute
{
    /// <summary>The class with the entry point.</summary>
    public Type Program { get; } = program;

    /// <summary>
    /// The class of a program that stands at the pins in a simulation, as a memory does on a board: it has the pins as
    /// ports, the other way round. It is no part of the circuit that is synthesised. Null without pins.
    /// </summary>
    public Type? Model { get; set; }
}
