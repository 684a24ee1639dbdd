using System.Numerics;
using System.Text;

namespace Emu.Compiler;

/// <summary>Functions that count bits, each a tree: one for 2n bits asks the one for n bits twice.</summary>
/// <param name="names">The names of the module.</param>
internal sealed class CountingFunctions(VerilogNames names)
{
    private readonly SortedDictionary<(Opcode Opcode, int Bits), string> _names = [];

    /// <summary>A call: its text and the width of its result.</summary>
    public (string Text, int Width) Call(Opcode opcode, int width, string argument)
    {
        var bits = (int)BitOperations.RoundUpToPowerOf2((uint)width);
        var missing = bits - width;
        if (missing > 0)
        {
            argument = opcode switch
            {
                Opcode.PopCount => $"{{{VerilogLiteral.Of(missing, 0)}, {argument}}}",
                Opcode.LeadingZeros => $"{{{argument}, {VerilogLiteral.Of(missing, Arithmetic.Mask(missing))}}}",
                _ => $"{{{VerilogLiteral.Of(missing, Arithmetic.Mask(missing))}, {argument}}}",
            };
        }
        return ($"{Name(opcode, bits)}({argument})", ResultWidth(bits));
    }

    /// <summary>The declarations of all that are called, callees first; empty when there are none.</summary>
    public string Declarations()
    {
        var text = new StringBuilder();
        foreach (var ((opcode, bits), name) in _names)
        {
            if (text.Length > 0) text.Append('\n');
            text.Append($"function {Range(ResultWidth(bits))}{name}(input {Range(bits)}value);\n");
            text.Append(bits == 1 ? $"    {name} = {(opcode == Opcode.PopCount ? "value" : "!value")};\n" : Body(opcode, bits, name));
            text.Append("endfunction\n");
        }
        return text.ToString();
    }

    private static int ResultWidth(int bits) => BitOperations.Log2((uint)bits) + 1;

    private static string Range(int width) => width == 1 ? "" : $"[{width - 1}:0] ";

    private static string Index(int high, int low) => high == low ? $"[{high}]" : $"[{high}:{low}]";

    private string Name(Opcode opcode, int bits)
    {
        if (_names.TryGetValue((opcode, bits), out var name)) return name;
        if (bits > 1) Name(opcode, bits / 2);
        var stem = opcode switch { Opcode.PopCount => "ones", Opcode.LeadingZeros => "leading_zeros", _ => "trailing_zeros" };
        return _names[(opcode, bits)] = names.Take($"{stem}_{bits}");
    }

    private string Body(Opcode opcode, int bits, string name)
    {
        var half = Name(opcode, bits / 2);
        var (high, low) = ($"{half}(value{Index(bits - 1, bits / 2)})", $"{half}(value{Index(bits / 2 - 1, 0)})");
        if (opcode == Opcode.PopCount) return $"    {name} = {{1'b0, {high}}} + {{1'b0, {low}}};\n";

        // The half that counts first; only if it has no one, which its top bit says, does the other count.
        var (first, second) = opcode == Opcode.LeadingZeros ? (high, low) : (low, high);
        var top = ResultWidth(bits / 2) - 1;
        var (firstTop, secondTop) = top == 0 ? ("first", "second") : ($"first[{top}]", $"second[{top}]");
        var rest = top == 0 ? "" : $", second{Index(top - 1, 0)}";
        return $"""
                reg {Range(top + 1)}first, second;
                begin
                    first = {first};
                    second = {second};
                    {name} = {firstTop} ? {$"{{{secondTop}, !{secondTop}{rest}}}"} : {$"{{1'b0, first}}"};
                end

            """.ReplaceLineEndings("\n");
    }
}
