namespace Emu.Services;

/// <summary>A station whose MAC address is known without asking.</summary>
/// <param name="Address">Its IPv4 address.</param>
/// <param name="Mac">Its MAC address.</param>
public readonly record struct StaticNeighbor(IPv4Address Address, MacAddress Mac) : IParsable<StaticNeighbor>
{
    /// <summary>Reads an address, <c>=</c> and a MAC address, such as <c>192.0.2.254=02:00:00:00:00:05</c>.</summary>
    /// <exception cref="FormatException">The text is no such pair.</exception>
    public static StaticNeighbor Parse(string s, IFormatProvider? provider = null) =>
        TryParse(s, provider, out var neighbor)
            ? neighbor
            : throw new FormatException($"'{s}' is not a neighbour such as 192.0.2.254=02:00:00:00:00:05");

    /// <inheritdoc cref="Parse"/>
    public static bool TryParse(string? s, IFormatProvider? provider, out StaticNeighbor result)
    {
        result = default;
        if (s?.Split('=') is not [var host, var station]) return false;
        if (!IPv4Address.TryParse(host, provider, out var address)
            || !MacAddress.TryParse(station, provider, out var mac))
            return false;
        result = new StaticNeighbor(address, mac);
        return true;
    }

    /// <summary>The form that <see cref="Parse"/> reads.</summary>
    public override string ToString() => $"{Address}={Mac}";
}
