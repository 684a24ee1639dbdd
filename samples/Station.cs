namespace Emu.Samples;

/// <summary>A station, and the port that it is at.</summary>
/// <param name="Address">The station's MAC address.</param>
/// <param name="Port">The port, 0 to 3.</param>
public readonly record struct Station(MacAddress Address, byte Port) : IParsable<Station>
{
    /// <summary>Reads a MAC address and a port: <c>02:00:00:00:00:05=2</c>.</summary>
    /// <exception cref="FormatException">The text is no such station.</exception>
    public static Station Parse(string s, IFormatProvider? provider = null) =>
        TryParse(s, provider, out var station)
            ? station
            : throw new FormatException($"'{s}' is not a station such as 02:00:00:00:00:05=2");

    /// <inheritdoc cref="Parse"/>
    public static bool TryParse(string? s, IFormatProvider? provider, out Station result)
    {
        result = default;
        if (s?.Split('=') is not [var address, var port] || !MacAddress.TryParse(address, provider, out var mac)
            || !byte.TryParse(port, out var number) || number > 3)
            return false;
        result = new Station(mac, number);
        return true;
    }

    /// <summary>The form that <see cref="Parse"/> reads.</summary>
    public override string ToString() => $"{Address}={Port}";
}
