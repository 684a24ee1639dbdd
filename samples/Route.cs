namespace Emu.Samples;

/// <summary>A route: a prefix, and the station and the port by which what begins with it leaves.</summary>
/// <param name="Prefix">The first address of the prefix.</param>
/// <param name="Length">The bits of the prefix, 0 to 32.</param>
/// <param name="Port">The port, 0 to 3.</param>
/// <param name="NextHop">The MAC address of the next router, or of the station.</param>
public readonly record struct Route(IPv4Address Prefix, int Length, byte Port, MacAddress NextHop) : IParsable<Route>
{
    /// <summary>Reads a prefix, a port and a MAC address: <c>10.1.0.0/16=2=02:00:00:00:00:05</c>.</summary>
    /// <exception cref="FormatException">The text is no such route.</exception>
    public static Route Parse(string s, IFormatProvider? provider = null) =>
        TryParse(s, provider, out var route)
            ? route
            : throw new FormatException($"'{s}' is not a route such as 10.1.0.0/16=2=02:00:00:00:00:05");

    /// <inheritdoc cref="Parse"/>
    public static bool TryParse(string? s, IFormatProvider? provider, out Route result)
    {
        result = default;
        if (s?.Split('=') is not [var prefix, var port, var hop] || prefix.Split('/') is not [var address, var length])
            return false;
        if (!IPv4Address.TryParse(address, provider, out var first) || !byte.TryParse(length, out var bits) || bits > 32
            || !byte.TryParse(port, out var number) || number > 3 || !MacAddress.TryParse(hop, provider, out var mac))
            return false;
        result = new Route(first, bits, number, mac);
        return true;
    }

    /// <summary>The form that <see cref="Parse"/> reads.</summary>
    public override string ToString() => $"{Prefix}/{Length}={Port}={NextHop}";
}
