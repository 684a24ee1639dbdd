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
public sealed class VerilogAttribute(string file) : CoreAttribute
{
    /// <summary>The end of the name of the resource.</summary>
    public string File { get; } = file;

    /// <summary>The module's name; that of the file, without its extension, unless given.</summary>
    public string? Module { get; set; }
}
