namespace Emu;

/// <summary>
/// Marks a method whose circuit is a Verilog module that is there already: a CAM, a vendor's FIFO, a cipher. .NET, and
/// Emu's own simulation, run the method's body, which remains what it means; a compiled circuit has the module. The
/// ladder holds both equal.
/// </summary>
/// <remarks>
/// <para>The module has the inputs <c>clk</c>, <c>rst</c> (1 while state is set to what the constructor left) and
/// <c>valid</c> (1 in the cycle of a call), an input for each parameter, and outputs for the result (<c>result</c>) and
/// each <see langword="out"/> parameter. Names are those of C#, in lower case with underscores; a word of Verilog has
/// one behind it. Outputs come from flops, and are 0 in cycles in which no result is due.</para>
/// <para>An instance method has state, the object's, which nothing but this method touches. A static one has none.
/// </para>
/// </remarks>
/// <param name="file">
/// The end of the name of a resource of the method's assembly, such as <c>cam.v</c>, which holds the module.
/// </param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class VerilogAttribute(string file) : Attribute
{
    /// <summary>The end of the name of the resource.</summary>
    public string File { get; } = file;

    /// <summary>The module's name; that of the file, without its extension, unless given.</summary>
    public string? Module { get; set; }

    /// <summary>
    /// Cycles from a call to its results, 1 to 255. 0, unless given, is a handshake: the module has an output
    /// <c>done</c>, which is 1 in the cycle of the results, and takes no call in between.
    /// </summary>
    public int Latency { get; set; }

    /// <summary>
    /// Cycles from a call to the next that the module takes; 1 unless given. Not used by a handshake.
    /// </summary>
    public int Interval { get; set; } = 1;

    /// <summary>Cycles for which <c>rst</c> has to stay 1; 1 unless given.</summary>
    public int ResetCycles { get; set; } = 1;

    /// <summary>
    /// Of a handshake: the name of a static method of the same class with the same parameters, apart from those that
    /// are <see langword="out"/>, that gives the cycles from a call to its results.
    /// </summary>
    public string? Cycles { get; set; }
}
