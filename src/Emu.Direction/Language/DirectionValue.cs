using System.Globalization;
using System.Numerics;
using Emu.Direction.Weaving;

namespace Emu.Direction.Language;

/// <summary>A constant of the language: a number, a Boolean, an address or a set of ports.</summary>
/// <param name="Number">Its bits as a number; below 0 for one with a sign.</param>
public sealed record DirectionValue(BigInteger Number)
{
    private const int MaxWidth = 128, MostPorts = 64;

    /// <summary>Reads a constant: <c>7</c>, <c>-7</c>, <c>0x1F</c>, <c>true</c>, an address, <c>{0,2}</c>.</summary>
    /// <exception cref="FormatException">It is none; the message says what is wrong.</exception>
    public static DirectionValue Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return TryParse(text) ?? throw new FormatException(
            $"'{text}' is no constant: a number (7, -7, 0x1F), true, false, an address, or ports ({{0,2}})");
    }

    /// <summary>Reads a constant.</summary>
    /// <returns>The constant; null if it is none.</returns>
    /// <exception cref="FormatException">It has too many bits.</exception>
    internal static DirectionValue? TryParse(string text)
    {
        if (ParseNumber(text) is not { } number) return null;
        return BigInteger.Abs(number) >> MaxWidth == 0
            ? new DirectionValue(number)
            : throw new FormatException($"'{text}' has more than {MaxWidth} bits");
    }

    /// <summary>0, and <c>false</c>.</summary>
    internal static DirectionValue Zero { get; } = new(BigInteger.Zero);

    /// <summary>The bits in a comparison of a probe.</summary>
    /// <exception cref="FormatException">It has too many.</exception>
    internal ulong InProbe => (ulong)(BitsIn(ProbedValue.MostWidth)
        ?? throw new FormatException($"{Number} has more than the {ProbedValue.MostWidth} bits of a comparison"));

    /// <summary>The bits in a variable of some width; null if it has more.</summary>
    public UInt128? BitsIn(int width)
    {
        if (Number < -(BigInteger.One << width - 1)) return null;
        if (Number.Sign < 0) return (UInt128)(Number + (BigInteger.One << width));
        return Number >> width == 0 ? (UInt128)Number : null;
    }

    /// <summary>The text of a variable's bits.</summary>
    public static string Show(UInt128 bits, VariableKind kind, int width) => kind switch
    {
        VariableKind.Bool => bits == 0 ? "false" : "true",
        VariableKind.MacAddress => new MacAddress((ulong)bits).ToString(),
        VariableKind.IPv4Address => new IPv4Address((uint)bits).ToString(),
        VariableKind.IPv6Address => new IPv6Address(bits).ToString(),
        VariableKind.PortSet => $"{{{string.Join(',', PortsIn((ulong)bits))}}}",
        VariableKind.SignedNumber when bits >> width - 1 != 0 =>
            ((BigInteger)bits - (BigInteger.One << width)).ToString(CultureInfo.InvariantCulture),
        _ => bits.ToString(CultureInfo.InvariantCulture),
    };

    private static BigInteger? ParseNumber(string text)
    {
        var culture = CultureInfo.InvariantCulture;
        if (text is "true" or "false") return text == "true" ? 1 : 0;
        if (BigInteger.TryParse(text, NumberStyles.AllowLeadingSign, culture, out var number)) return number;
        if (text.Length > 2 && text.StartsWith("0x", StringComparison.OrdinalIgnoreCase)
            && BigInteger.TryParse("0" + text[2..], NumberStyles.AllowHexSpecifier, culture, out number))
            return number;
        if (MacAddress.TryParse(text, culture, out var mac)) return mac.Bits;
        if (IPv4Address.TryParse(text, culture, out var ipv4)) return ipv4.Bits;
        if (IPv6Address.TryParse(text, culture, out var ipv6)) return (BigInteger)ipv6.Bits;
        return text is ['{', .. var ports, '}'] ? ParsePorts(ports) : null;
    }

    private static BigInteger? ParsePorts(string text)
    {
        var bits = BigInteger.Zero;
        foreach (var port in text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            if (!byte.TryParse(port, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
                || number >= MostPorts)
                return null;
            bits |= BigInteger.One << number;
        }
        return bits;
    }

    private static IEnumerable<int> PortsIn(ulong bits) =>
        Enumerable.Range(0, MostPorts).Where(port => (bits >> port & 1) != 0);
}
