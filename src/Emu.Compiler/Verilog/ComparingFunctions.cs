using Emu.Compiler.Rtl;

namespace Emu.Compiler.Verilog;

/// <summary>
/// Functions that say whether two wide values are equal: three bits of each in a LUT, and a carry chain that
/// joins what these say. Synthesis makes a tree of an operator, which takes LUTs of two bits each and more to
/// join them: two thirds more.
/// </summary>
/// <param name="names">The names of the module.</param>
internal sealed class ComparingFunctions(VerilogNames names)
{
    private const int PartBits = WideComparison.PartBits;

    private readonly SortedDictionary<int, string> _names = [];

    /// <summary>A call.</summary>
    public string Call(int width, string a, string b)
    {
        if (!_names.TryGetValue(width, out var name)) name = _names[width] = names.Take($"equal_{width}");
        return $"{name}({a}, {b})";
    }

    /// <summary>The declarations of all that are called; empty when there are none.</summary>
    public string Declarations() => string.Join('\n', _names.Select(f => Declaration(f.Key, f.Value)));

    private static string Declaration(int width, string name)
    {
        var parts = WideComparison.Parts(width);
        var (value, bits) = (VerilogLayout.Range(width), PartBits * parts);
        var zeros = bits == width ? "" : VerilogLiteral.Of(bits - width, 0) + ", ";
        var differ = zeros == "" ? "one ^ other" : $"{{{zeros}one ^ other}}";
        return $$"""
            function {{name}}(input {{value}} one, input {{value}} other);
                integer i;
                reg {{VerilogLayout.Range(bits)}} differ;
                reg {{VerilogLayout.Range(parts)}} same;
                begin
                    differ = {{differ}};
                    for (i = 0; i < {{parts}}; i = i + 1) begin
                        same[i] = differ[{{PartBits}}*i +: {{PartBits}}] == {{VerilogLiteral.Of(PartBits, 0)}};
                    end
                    // The carry passes all parts.
                    {{{name}}, same} = {1'b0, same} + {{VerilogLiteral.Of(parts + 1, 1)}};
                end
            endfunction

            """;
    }
}
