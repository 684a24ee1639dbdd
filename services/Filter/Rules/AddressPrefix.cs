namespace Emu.Services;

/// <summary>Addresses that agree with one where a mask has ones.</summary>
/// <param name="Family">IPv4: 32 bits; IPv6: 128.</param>
/// <param name="Address">The address; 0 where the mask is.</param>
/// <param name="Mask">The mask, mostly a prefix; of any shape as in <c>10.0.0.1/255.0.0.255</c>.</param>
internal readonly record struct AddressPrefix(IPFamily Family, UInt128 Address, UInt128 Mask)
{
    /// <summary>Reads an address, which may have a prefix length or a mask behind a slash.</summary>
    public static AddressPrefix Parse(IPFamily family, string text)
    {
        var parts = text.Split('/');
        if (parts.Length > 2)
            throw new RuleException($"'{text}' is not an address with a mask such as {Example(family)}");
        var mask = parts.Length == 1 ? AllOnes(family) : ParseMask(family, parts[1]);
        return new AddressPrefix(family, ParseAddress(family, parts[0]) & mask, mask);
    }

    public static UInt128 ParseAddress(IPFamily family, string text)
    {
        if (family == IPFamily.IPv4 && IPv4Address.TryParse(text, null, out var address)) return address.Bits;
        if (family == IPFamily.IPv6 && IPv6Address.TryParse(text, null, out var address6)) return address6.Bits;
        throw new RuleException(
            $"host/network '{text}' not found: names are not looked up; write an address such as {Example(family)}");
    }

    public static string Text(IPFamily family, UInt128 address) =>
        family == IPFamily.IPv4 ? new IPv4Address((uint)address).ToString() : new IPv6Address(address).ToString();

    /// <summary>As it is saved: a prefix by its length.</summary>
    public override string ToString() =>
        $"{Text(Family, Address)}/{(PrefixLength is { } length ? length : Text(Family, Mask))}";

    /// <summary>As it is listed: a single address without its mask.</summary>
    public string ToListing() => Mask == AllOnes(Family) ? Text(Family, Address) : ToString();

    private static int Width(IPFamily family) => family == IPFamily.IPv4 ? IPv4Address.Width : IPv6Address.Width;

    private static UInt128 AllOnes(IPFamily family) => family == IPFamily.IPv4 ? uint.MaxValue : UInt128.MaxValue;

    private static string Example(IPFamily family) => family == IPFamily.IPv4 ? "10.0.0.0/8" : "fd00::/8";

    private int? PrefixLength
    {
        get
        {
            var length = (int)UInt128.PopCount(Mask);
            return Mask == PrefixMask(Family, length) ? length : null;
        }
    }

    private static UInt128 PrefixMask(IPFamily family, int length) =>
        length == 0 ? 0 : AllOnes(family) & AllOnes(family) << Width(family) - length;

    private static UInt128 ParseMask(IPFamily family, string text)
    {
        if (!text.Contains('.') && !text.Contains(':'))
        {
            return RuleNumber.TryParse(text, (uint)Width(family), out var length)
                ? PrefixMask(family, (int)length)
                : throw new RuleException($"invalid mask '{text}' specified: a prefix length is from 0 to "
                    + $"{Width(family)}{RuleNumber.Remark(text)}");
        }
        try
        {
            return ParseAddress(family, text);
        }
        catch (RuleException)
        {
            var example = family == IPFamily.IPv4 ? "255.0.0.0" : "ff00::";
            throw new RuleException(
                $"invalid mask '{text}' specified; write a prefix length or a mask such as {example}");
        }
    }
}
