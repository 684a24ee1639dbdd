namespace Emu.Services;

/// <summary>A static filtering entry (IEEE 802.1D-2004 §7.9.1).</summary>
/// <param name="Address">The destination, of a station or a group.</param>
/// <param name="Ports">The ports that frames to it leave by, apart from the one they came from.</param>
public readonly record struct StaticEntry(MacAddress Address, PortSet Ports) : IParsable<StaticEntry>
{
    /// <summary>Reads an address, <c>=</c> and a port set, such as <c>02:00:00:00:00:05=1,2</c>.</summary>
    /// <exception cref="FormatException">The text is no such entry.</exception>
    public static StaticEntry Parse(string s, IFormatProvider? provider = null) =>
        TryParse(s, provider, out var entry)
            ? entry
            : throw new FormatException($"'{s}' is not a static entry such as 02:00:00:00:00:05=1,2");

    /// <inheritdoc cref="Parse"/>
    public static bool TryParse(string? s, IFormatProvider? provider, out StaticEntry result)
    {
        result = default;
        if (s?.Split('=') is not [var address, var ports]) return false;
        if (!MacAddress.TryParse(address, provider, out var mac) || !PortSet.TryParse(ports, provider, out var set))
            return false;
        result = new StaticEntry(mac, set);
        return true;
    }

    /// <summary>The form that <see cref="Parse"/> reads.</summary>
    public override string ToString() => $"{Address}={Ports}";
}
