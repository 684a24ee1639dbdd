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
/// </remarks>
/// <param name="program">The class with the method that is marked <c>[Kiwi.HardwareEntryPoint]</c>.</param>
public sealed class ClockedAttribute(Type program) : CoreAttribute
{
    /// <summary>The class with the entry point.</summary>
    public Type Program { get; } = program;
}
