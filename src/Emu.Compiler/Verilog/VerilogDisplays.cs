using System.Globalization;
using System.Text;
using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Verilog;

/// <summary>Text that simulations print: <c>$write</c> at edges outside reset. Synthesis leaves it out.</summary>
internal static class VerilogDisplays
{
    /// <summary>The characters of a number: 20 digits and a sign, or as many as are asked for.</summary>
    private const int Digits = 21;

    /// <summary>The part of a module; empty where nothing is printed.</summary>
    public static string Print(Design design, VerilogScope scope, VerilogSection printed, VerilogNames names)
    {
        if (design.Displays.Count == 0 && design.InitialText.Length == 0) return "";
        var parts = new List<string>();
        var longest = design.Displays.SelectMany(d => d.Text)
            .Select(part => part is NamesText { Otherwise: var other } ? other : part).OfType<NumberText>()
            .Where(NeedsFunction)
            .Select(n => Math.Max(n.Digits + 1, Math.Abs(n.Alignment))).DefaultIfEmpty().Max();
        var function = longest > 0 ? names.Take("number_text") : "";
        if (longest > 0) parts.Add(Function(function, Math.Max(Digits, longest)));
        if (design.InitialText.Length > 0)
            parts.Add($"initial $write(\"{Literal(design.InitialText)}\");\n");
        if (design.Displays.Count > 0)
        {
            (printed.HasEdge, printed.HasReset) = (true, true);
            var always = new StringBuilder("always @(posedge clk) begin\n    if (!rst) begin\n");
            foreach (var display in design.Displays) always.Append(Statement(display, scope, function));
            parts.Add(always.Append("    end\nend\n").ToString());
        }
        return $"{VerilogLayout.Banner(["Text that simulations print"])}`ifndef SYNTHESIS\n"
            + $"{string.Join('\n', parts)}`endif\n";
    }

    /// <summary>True for what Verilog's own formats do not print as .NET does.</summary>
    private static bool NeedsFunction(NumberText number) =>
        number.Alignment != 0 || number.Digits > 1 || number.HexLetters == 'X';

    private static string Statement(Display display, VerilogScope scope, string function)
    {
        var text = new StringBuilder();
        var (format, arguments, next) = (new StringBuilder(), new List<string>(), 0);
        void End()
        {
            if (format.Length > 0)
                text.Append($"            $write({string.Join(", ", arguments.Prepend($"\"{format}\""))});\n");
            format.Clear();
            arguments.Clear();
        }

        foreach (var part in display.Text)
        {
            var item = part.TakesOperand ? display.Values[next++] : null;
            var (name, width) = item is null ? ("", 0) : (scope[item].Read(), ((Value)item).Width);
            switch (part)
            {
                case LiteralText literal:
                    format.Append(Literal(literal.Text));
                    break;
                case NumberText number:
                    var (kind, argument) = Number(number, function, name, width);
                    format.Append(kind);
                    arguments.Add(argument);
                    break;
                case CharacterText:
                    format.Append("%c");
                    arguments.Add(width > 8 ? scope[item!].Bits(0, 8).Read() : name);
                    break;
                case ChoiceText { Choices: var choices }:
                    // An empty text would be a blank in Verilator.
                    End();
                    text.Append(Case(
                        choices.Select((choice, i) => ((UInt128)i, choice)).Skip(1), Write(choices[0]), name, width));
                    break;
                case NamesText { Names: var names, Otherwise: var number }:
                    End();
                    var (otherwise, value) = Number(number, function, name, width);
                    text.Append(Case(
                        names.Select(named => (named.Key, named.Value)), $"$write(\"{otherwise}\", {value});", name,
                        width));
                    break;
            }
        }
        End();
        return $"        if ({scope[display.Enable].Read()}) begin\n{text}        end\n";
    }

    /// <summary>The format of a number, and what is printed by it.</summary>
    private static (string Format, string Argument) Number(
        NumberText number, string function, string name, int width) => number switch
        {
            _ when NeedsFunction(number) => ("%0s", Call(function, number, name, width)),
            { HexLetters: null } => ("%0d", number.IsSigned ? $"$signed({name})" : name),
            _ => ("%0h", name),
        };

    /// <summary>One of several texts, by a number.</summary>
    private static string Case(
        IEnumerable<(UInt128 Bits, string Text)> texts, string otherwise, string name, int width)
    {
        var text = new StringBuilder($"            case ({name})\n");
        foreach (var (bits, choice) in texts) text.Append($"                {width}'d{bits}: {Write(choice)}\n");
        return text.Append($"                default: {otherwise}\n            endcase\n").ToString();
    }

    private static string Write(string text) => text.Length == 0 ? ";" : $"$write(\"{Literal(text)}\");";

    private static string Call(string function, NumberText number, string name, int width)
    {
        var isNegative = number.IsSigned && number.HexLetters is null;
        var sign = isNegative ? $"{name}[{width - 1}]" : "1'b0";
        var bits = width == 64 ? name : $"{{{64 - width}'d0, {name}}}";
        if (isNegative)
        {
            var extended = width == 64 ? name : $"{{{{{64 - width}{{{sign}}}}}, {name}}}";
            bits = $"({sign} ? -{extended} : {extended})";
        }
        var radix = number.HexLetters is null ? 10 : 16;
        // Digits above 9 begin 10 before their letter.
        var letters = number.HexLetters == 'x' ? 'a' - 10 : 'A' - 10;
        return $"{function}({bits}, {sign}, 64'd{radix}, 8'd{letters}, {Math.Max(1, number.Digits)}, "
            + $"{number.Alignment})";
    }

    /// <summary>A string of Verilog: what is not of ASCII as the bytes of UTF-8.</summary>
    private static string Literal(string text)
    {
        var literal = new StringBuilder();
        foreach (var octet in Encoding.UTF8.GetBytes(text))
        {
            literal.Append((char)octet switch
            {
                '"' => "\\\"",
                '\\' => "\\\\",
                '\n' => "\\n",
                '\t' => "\\t",
                '%' => "%%",
                >= ' ' and <= '~' => $"{(char)octet}",
                _ => "\\" + Convert.ToString(octet, 8).PadLeft(3, '0'),
            });
        }
        return literal.ToString();
    }

    private static string Function(string name, int characters)
    {
        var bits = (8 * characters).ToString(CultureInfo.InvariantCulture);
        return $$"""
            // The digits of a number from the lowest on, then a sign and blanks; zeros above are no characters.
            function [{{8 * characters - 1}}:0] {{name}};
                input [63:0] number;
                input negative;
                input [63:0] radix;
                input [7:0] letters;
                input integer least;
                input integer width;
                integer i;
                reg [63:0] rest;
                reg [63:0] digit;
                begin
                    {{name}} = {{bits}}'d0;
                    rest = number;
                    i = 0;
                    while (rest != 64'd0 || i < least) begin
                        digit = rest % radix;
                        {{name}}[8 * i +: 8] = digit[7:0] + (digit < 64'd10 ? 8'd48 : letters);
                        rest = rest / radix;
                        i = i + 1;
                    end
                    if (negative) begin
                        {{name}}[8 * i +: 8] = 8'd45;
                        i = i + 1;
                    end
                    while (i < width) begin
                        {{name}}[8 * i +: 8] = 8'd32;
                        i = i + 1;
                    end
                    while (i < -width) begin
                        {{name}} = {{{name}}[{{8 * characters - 9}}:0], 8'd32};
                        i = i + 1;
                    end
                end
            endfunction

            """;
    }
}
