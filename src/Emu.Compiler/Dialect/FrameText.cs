using Emu.Compiler.IR;

namespace Emu.Compiler.Dialect;

/// <summary>
/// The frame of the program: an array for each byte of a beat, so that a beat is read or written at once.
/// </summary>
internal static class FrameText
{
    private const int Lanes = StatePorts.Lanes;

    /// <summary>Bytes as an expression, the first in the highest bits.</summary>
    public static string Read(Operation read)
    {
        var count = read.Width / 8;
        var type = ProgramNames.TypeOf(read.Width);
        if (read.Operands[0] is not Constant { Bits: var offset })
        {
            var word = count == Lanes ? "ReadFrame()" : $"ReadFrame() >> {8 * (Lanes - count)}";
            return type == "ulong" ? word : $"({type})({word})";
        }
        return string.Join(" | ", Enumerable.Range(0, count).Select(i =>
        {
            var at = (int)offset + i;
            var octet = $"lane{at % Lanes}[{at / Lanes}]";
            return i == count - 1 ? octet : $"(({type}){octet} << {8 * (count - 1 - i)})";
        }));
    }

    /// <summary>Statements that write known bytes.</summary>
    public static IEnumerable<string> Write(int offset, ulong bytes, int count) =>
        Enumerable.Range(offset, count).Select((at, i) =>
            $"lane{at % Lanes}[{at / Lanes}] = 0x{(byte)(bytes >> (8 * (count - 1 - i))):X2};");

    /// <summary>Statements that write bytes.</summary>
    /// <param name="offset">The offset; null for that of the register.</param>
    /// <param name="data">The bytes, the first in the highest bits.</param>
    /// <param name="count">The number of bytes.</param>
    public static IEnumerable<string> Write(Constant? offset, string data, int count)
    {
        if (offset is null)
        {
            var word = count == Lanes ? data : $"(ulong){data} << {8 * (Lanes - count)}";
            return [$"WriteFrame({count}, {word});"];
        }
        return Enumerable.Range(0, count).Select(i =>
        {
            var (at, shift) = ((int)offset.Bits + i, 8 * (count - 1 - i));
            return $"lane{at % Lanes}[{at / Lanes}] = (byte)({data}{(shift == 0 ? "" : $" >> {shift}")});";
        });
    }

    /// <summary>The arrays.</summary>
    public static IEnumerable<string> Arrays(int rows) =>
        Enumerable.Range(0, Lanes).Select(lane => $"static byte[] lane{lane} = new byte[{rows}];");

    /// <summary>The methods for offsets that are computed.</summary>
    public static string ReadMethod(int rows)
    {
        var mask = rows - 1;
        var text = $$"""
            // The eight bytes from frameOffset on, the first in the highest bits.
            static ulong ReadFrame()
            {
                uint at = frameOffset & 7;
                uint row = (frameOffset >> 3) & {{mask}};
                uint after = (row + 1) & {{mask}};
                ulong word = lane7[row];

            """;
        for (var lane = Lanes - 2; lane >= 0; lane--)
            text += $$"""
                    uint row{{lane}} = row;
                    if (at > {{lane}}) row{{lane}} = after;
                    word |= (ulong)lane{{lane}}[row{{lane}}] << {{8 * (Lanes - 1 - lane)}};

                """;
        return text + """
                int turn = (int)(at << 3);
                            return (word << turn) | (word >> (64 - turn));
            }
            """;
    }

    /// <summary>The same for writing.</summary>
    public static string WriteMethod(int rows)
    {
        var mask = rows - 1;
        var text = $$"""
            // Writes bytes from frameOffset on: so many from the highest bits of a word.
            static void WriteFrame(uint count, ulong bytes)
            {
                uint at = frameOffset & 7;
                uint row = (frameOffset >> 3) & {{mask}};
                uint after = (row + 1) & {{mask}};
                int turn = (int)(at << 3);
                ulong word = (bytes >> turn) | (bytes << (64 - turn));

            """;
        for (var lane = 0; lane < Lanes; lane++)
            text += $$"""
                    uint row{{lane}} = row;
                    if (at > {{lane}}) row{{lane}} = after;
                    if ((({{lane}} - at) & 7) < count)
                        lane{{lane}}[row{{lane}}] = (byte)(word >> {{8 * (Lanes - 1 - lane)}});

                """;
        return text + "}";
    }
}
