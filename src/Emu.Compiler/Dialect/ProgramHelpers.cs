namespace Emu.Compiler.Dialect;

/// <summary>The methods that expressions call; those that are called stand in the program.</summary>
internal sealed class ProgramHelpers
{
    private static readonly (string Name, string Needs, string Text)[] s_all =
    [
        ("Bit", "", """
            // The number of a bit.
            static uint Bit(bool bit)
            {
                if (bit) return 1;
                return 0;
            }
            """),
        ("Parity", "", """
            // The parity of the bits of a word.
            static uint Parity(ulong word)
            {
                word ^= word >> 32;
                word ^= word >> 16;
                word ^= word >> 8;
                word ^= word >> 4;
                word ^= word >> 2;
                word ^= word >> 1;
                return (uint)word & 1;
            }
            """),
        ("CountOnes", "", """
            // The number of ones of a word.
            static uint CountOnes(ulong word)
            {
                word -= (word >> 1) & 0x5555555555555555;
                word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333);
                word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F;
                word += word >> 8;
                word += word >> 16;
                word += word >> 32;
                return (uint)word & 0x7F;
            }
            """),
        ("LeadingZeros", "CountOnes", """
            // The zeros above the highest one of a word.
            static uint LeadingZeros(ulong word)
            {
                word |= word >> 1;
                word |= word >> 2;
                word |= word >> 4;
                word |= word >> 8;
                word |= word >> 16;
                word |= word >> 32;
                return 64 - CountOnes(word);
            }
            """),
        ("TrailingZeros", "CountOnes", """
            // The zeros below the lowest one of a word.
            static uint TrailingZeros(ulong word)
            {
                return CountOnes((word - 1) & (word ^ 0xFFFFFFFFFFFFFFFF));
            }
            """),
        ("OnesSum", "", """
            // The ones' complement sum (RFC 1071) of the four numbers of 16 bits in a word.
            static uint OnesSum(ulong word)
            {
                uint sum = ((uint)word & 0xFFFF) + ((uint)(word >> 16) & 0xFFFF)
                    + ((uint)(word >> 32) & 0xFFFF) + (uint)(word >> 48);
                sum = (sum & 0xFFFF) + (sum >> 16);
                return (sum & 0xFFFF) + (sum >> 16);
            }
            """),
    ];

    private readonly HashSet<string> _used = [];

    /// <summary>A call.</summary>
    public string Use(string helper, string argument)
    {
        if (_used.Add(helper) && s_all.First(entry => entry.Name == helper).Needs is { Length: > 0 } needed)
            _used.Add(needed);
        return $"{helper}({argument})";
    }

    /// <summary>The methods that are called.</summary>
    public IEnumerable<string> Texts => s_all.Where(entry => _used.Contains(entry.Name)).Select(entry => entry.Text);
}
