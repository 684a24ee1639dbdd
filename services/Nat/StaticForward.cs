namespace Emu.Services;

/// <summary>
/// A port of the outside address that always leads to an endpoint inside, and that this endpoint always has.
/// </summary>
/// <param name="Protocol">UDP or TCP.</param>
/// <param name="ExternalPort">The port outside, 1 to 65535.</param>
/// <param name="Address">The host inside.</param>
/// <param name="Port">Its port, 1 to 65535.</param>
public readonly record struct StaticForward(
    FlowProtocol Protocol, ushort ExternalPort, IPv4Address Address, ushort Port)
    : IParsable<StaticForward>
{
    internal Endpoint Inside => new(Protocol, Address, Port);

    /// <summary>
    /// Reads a protocol, the port outside, and the endpoint inside, such as <c>tcp:80=10.0.0.5:8080</c>.
    /// </summary>
    /// <exception cref="FormatException">The text is no such forward.</exception>
    public static StaticForward Parse(string s, IFormatProvider? provider = null) =>
        TryParse(s, provider, out var forward)
            ? forward
            : throw new FormatException($"'{s}' is not a static forward such as tcp:80=10.0.0.5:8080");

    /// <inheritdoc cref="Parse"/>
    public static bool TryParse(string? s, IFormatProvider? provider, out StaticForward result)
    {
        result = default;
        if (s?.Split('=') is not [var left, var right]) return false;
        if (left.Split(':') is not [var name, var external] || right.Split(':') is not [var host, var inside])
            return false;
        var protocol = name switch { "udp" => FlowProtocol.Udp, "tcp" => FlowProtocol.Tcp, _ => FlowProtocol.None };
        if (protocol == FlowProtocol.None || !IPv4Address.TryParse(host, provider, out var address)) return false;
        if (!TryParsePort(external, out var externalPort) || !TryParsePort(inside, out var port)) return false;
        result = new StaticForward(protocol, externalPort, address, port);
        return true;
    }

    /// <summary>The form that <see cref="Parse"/> reads.</summary>
    public override string ToString() => $"{Protocol.ToString().ToLowerInvariant()}:{ExternalPort}={Address}:{Port}";

    private static bool TryParsePort(string text, out ushort port) =>
        ushort.TryParse(text, System.Globalization.NumberStyles.None, null, out port) && port != 0;
}
